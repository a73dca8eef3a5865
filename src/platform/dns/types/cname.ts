/** CNAME: another name for this one (RFC 1034, section 3.6.2). */
import { readTarget } from '../record-names.ts'
import type { TypeRule } from './rule.ts'
import { leadsToItself, nameBytes, nameText, nameWire } from './target.ts'

/** No other record may coexist, so not at the apex, which has SOA and NS. */
export const cname: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check(record, zone) {
    if (record.fqdn !== zone) return leadsToItself(record)
    const message =
      'must not be CNAME for the domain itself, which has SOA and NS records: ' +
      `use ALIAS, which serves the addresses of ${record.value}`
    return { path: 'type', message }
  },
  excludes: () => 'A CNAME stands alone at its name',
  dataBytes: ({ value }) => nameBytes(value),
  text: nameText,
  wire: nameWire,
}
