/** The records that domains must have. */
import { isIPv6 } from 'node:net'
import type { edgeTargets } from '../../stores/db/schema/records.ts'

/** The edge's addresses, and its host name, if domains should point to a name. */
export type Routing = { addresses: string[]; cname: string | undefined }

type Target = typeof edgeTargets.$inferSelect

/** The records that point any name to the edge, including an apex. */
export function targetsOf({ addresses, cname }: Routing): Target[] {
  if (cname !== undefined) return [{ type: 'ALIAS', value: cname }]
  return addresses.map((value) => ({ type: isIPv6(value) ? 'AAAA' : 'A', value }))
}
