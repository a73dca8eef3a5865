/** Stores the settings that zones depend on, for records generated in the database. */
import { asc, sql } from 'drizzle-orm'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { registrableDomains } from '../../stores/db/schema/domains.ts'
import { edgeTargets, nameservers } from '../../stores/db/schema/records.ts'
import type { Store } from '../../stores/db/store.ts'
import { type Routing, targetsOf } from './edge-targets.ts'

/** `nameservers` are the names of the servers, the primary first. */
type ZoneSettings = { routing: Routing; nameservers: string[] }

/** Stores this node's settings, and if they changed raises the serial of every zone. */
export async function saveZoneSettings({ db }: Store, settings: ZoneSettings, nowMs: number): Promise<void> {
  const targets = targetsOf(settings.routing)
  const names = settings.nameservers.map((name, position) => ({ position, name }))
  const wanted = JSON.stringify([
    targets.map(({ type, value }) => `${type} ${value}`).sort(),
    settings.nameservers,
  ])
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${edgeTargets} in share row exclusive mode`)
    const knownTargets = (await tx.select().from(edgeTargets))
      .map(({ type, value }) => `${type} ${value}`)
      .sort()
    const knownNames = await tx.select().from(nameservers).orderBy(asc(nameservers.position))
    if (JSON.stringify([knownTargets, knownNames.map(({ name }) => name)]) === wanted) return
    await tx.delete(edgeTargets)
    await tx.delete(nameservers)
    if (targets.length > 0) await tx.insert(edgeTargets).values(targets)
    if (names.length > 0) await tx.insert(nameservers).values(names)
    await tx.update(registrableDomains).set({
      serial: sql`greatest(${registrableDomains.serial} + 1, ${Math.floor(nowMs / 1000)})`,
      changedMs: databaseMs,
    })
  })
}
