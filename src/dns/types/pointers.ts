/** Types whose value is one name: ALIAS, CNAME and NS. */
import { readTarget } from '../names.ts'
import { isWildcard, leadsToItself, type TypeRule } from './rule.ts'

/** Serves the addresses of another name as this name's own: a replacement for CNAME at an apex. */
export const alias: TypeRule = { numbers: [], readValue: readTarget, check: leadsToItself }

/** RFC 1034, section 3.6.2: no other record may coexist, so not at the apex, which has SOA and NS. */
export const cname: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check(record, zone) {
    if (record.fqdn !== zone) return leadsToItself(record)
    const message = `must not be CNAME for the domain itself, which has SOA and NS records: use ALIAS, which serves the addresses of ${record.value}`
    return { path: 'type', message }
  },
}

/** RFC 1035, section 3.3.11: delegates names below the domain; the apex has the service's. */
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
}
