/** The records with which a name leads to the edge. */
import type { ShownRecord } from '../db/schema/domains.ts'
import type { DomainName } from '../names/domain-name.ts'
import { type Routing, targetsOf } from '../zones/edge-targets.ts'

/**
 * What should be there at a name: addresses, or the name that stands for them. Beside the SOA of a registrable domain
 * no CNAME can be (RFC 1912, section 2.4), so there it is an ALIAS.
 */
export function expectedRecords({ domain, registrable }: DomainName, routing: Routing): ShownRecord[] {
  if (routing.cname !== undefined && domain !== registrable) {
    return [{ type: 'CNAME', name: domain, value: routing.cname }]
  }
  return targetsOf(routing).map(({ type, value }) => ({ type, name: domain, value }))
}
