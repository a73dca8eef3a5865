/** What domains must point to, kept in the database for the records that are made there. */
import { isIPv6 } from 'node:net'
import { sql } from 'drizzle-orm'
import { registrableDomains } from '../db/schema/domains.ts'
import { edgeTargets } from '../db/schema/records.ts'
import type { Store } from '../db/store.ts'

/** The edge's addresses, and the name that stands for them where domains are to point to a name. */
export type Routing = { addresses: string[]; cname: string | undefined }

type Target = typeof edgeTargets.$inferSelect

/** The records that lead to the edge from any name, the apex of a zone too. */
export function targetsOf({ addresses, cname }: Routing): Target[] {
  if (cname !== undefined) return [{ type: 'ALIAS', value: cname }]
  return addresses.map((value) => ({ type: isIPv6(value) ? 'AAAA' : 'A', value }))
}

/** Writes down what this node's settings say, and where that is new raises the serial of every zone. */
export async function saveEdgeTargets({ db }: Store, routing: Routing, nowMs: number): Promise<void> {
  const wanted = targetsOf(routing)
  const keyOf = ({ type, value }: Target) => `${type} ${value}`
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${edgeTargets} in share row exclusive mode`)
    const known = new Set((await tx.select().from(edgeTargets)).map(keyOf))
    if (known.size === wanted.length && wanted.every((target) => known.has(keyOf(target)))) return
    await tx.delete(edgeTargets)
    if (wanted.length > 0) await tx.insert(edgeTargets).values(wanted)
    await tx.update(registrableDomains).set({
      serial: sql`greatest(${registrableDomains.serial} + 1, ${Math.floor(nowMs / 1000)})`,
      changedMs: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    })
  })
}
