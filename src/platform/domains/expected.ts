/** The records that point a name to the edge. */

import type { DomainName } from '../../lib/names/domain-name.ts'
import type { RecordValue } from '../../stores/db/schema/domains.ts'
import { type Routing, targetsOf } from '../zones/edge-targets.ts'

/**
 * The expected records at a name: addresses, or the edge's host name. An apex can't have a CNAME (RFC 1912,
 * section 2.4), so there it is an ALIAS.
 */
export function expectedRecords({ domain, registrable }: DomainName, routing: Routing): RecordValue[] {
  if (routing.cname !== undefined && domain !== registrable) {
    return [{ type: 'CNAME', name: domain, value: routing.cname }]
  }
  return targetsOf(routing).map(({ type, value }) => ({ type, name: domain, value }))
}
