/** Types whose value is one name: ALIAS, CNAME and NS. */
import { readTarget } from '../names.ts'
import { isWildcard, leadsToItself, type TypeRule } from './rule.ts'

/** The addresses of another name, answered as this name's own: what a CNAME is where none may be. */
export const alias: TypeRule = { numbers: [], readValue: readTarget, check: leadsToItself }

/** RFC 1034, section 3.6.2: nothing else stands beside it, so not at the apex, which has SOA and NS. */
export const cname: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check(record, zone) {
    if (record.fqdn !== zone) return leadsToItself(record)
    const message = `must not be CNAME for the domain itself, which has SOA and NS records: use ALIAS, which answers the addresses of ${record.value}`
    return { path: 'type', message }
  },
}

/** RFC 1035, section 3.3.11: delegates what is below the domain; the domain's own are the service's. */
export const ns: TypeRule = {
  numbers: [],
  readValue: readTarget,
  check(record, zone) {
    if (record.fqdn === zone) {
      return {
        path: 'name',
        message:
          'must be below the domain: its own name servers are the service’s, and served without records',
      }
    }
    // RFC 4592, section 4.2: it would mean nothing that servers agree on.
    if (isWildcard(record)) return { path: 'name', message: 'must not be a wildcard for NS' }
    return undefined
  },
}
