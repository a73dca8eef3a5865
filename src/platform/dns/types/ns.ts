/** NS: delegates names below the domain (RFC 1035, section 3.3.11). */
import { readTarget } from '../record-names.ts'
import { isWildcard, type TypeRule } from './rule.ts'
import { nameBytes, nameText, nameWire } from './target.ts'

export const ns: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check(record, zone) {
    if (record.fqdn === zone) {
      return {
        path: 'name',
        message: 'must be below the domain: the name servers of the domain itself are managed',
      }
    }
    // RFC 4592, section 4.2: its meaning is undefined.
    if (isWildcard(record)) return { path: 'name', message: 'must not be a wildcard for NS' }
    return undefined
  },
  leadsTo: ({ value }) => value,
  dataBytes: ({ value }) => nameBytes(value),
  text: nameText,
  wire: nameWire,
}
