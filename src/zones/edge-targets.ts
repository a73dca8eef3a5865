/** What domains must point to. */
import { isIPv6 } from 'node:net'
import type { edgeTargets } from '../db/schema/records.ts'

/** The edge's addresses, and the name that stands for them where domains are to point to a name. */
export type Routing = { addresses: string[]; cname: string | undefined }

type Target = typeof edgeTargets.$inferSelect

/** The records that lead to the edge from any name, the apex of a zone too. */
export function targetsOf({ addresses, cname }: Routing): Target[] {
  if (cname !== undefined) return [{ type: 'ALIAS', value: cname }]
  return addresses.map((value) => ({ type: isIPv6(value) ? 'AAAA' : 'A', value }))
}
