/** Changes a record of a zone. */
import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { reverseName } from '../../lib/names/domain-name.ts'
import { records } from '../../stores/db/schema/records.ts'
import type { Actor } from '../callers/actor.ts'
import { shareTtl } from './name-records.ts'
import { planChange, refuseLargerChange } from './plan-record.ts'
import { toRecord } from './read-record.ts'
import { recordUpdatedEvent } from './record-event.ts'
import type { RecordChanges } from './record-input.ts'
import type { DnsRecord } from './record-output.ts'
import { type ChangeDeps, changeZone, findZone } from './zone.ts'

/**
 * Changes the record, and sets the `ttl` of its name and type. Moved to another name without one, it gets the
 * TTL there. Unchanged values aren't written.
 * @throws AppError `domain_not_found`, `in_zone_of`, `record_not_found`, `invalid_input`, `record_conflict`,
 * `too_many_records`.
 */
export async function putRecord(
  deps: ChangeDeps,
  actor: Actor,
  { domain, record: id }: { domain: string; record: string },
  changes: RecordChanges,
): Promise<DnsRecord> {
  const { db } = deps.store
  const { zone, claim } = await findZone(db, actor.principal.teamId, domain)
  // Through a claim below another nothing can be changed, which is said there.
  if (zone.id === claim.id) {
    const { current, wanted } = await planChange(db, zone, id, changes)
    if (isDeepStrictEqual(current, wanted)) return toRecord(zone, current)
  }
  return changeZone(
    deps,
    actor,
    { domain, recordName: changes.name },
    async (tx, locked, { nowMs, publish }) => {
      const { current, wanted } = await planChange(tx, locked, id, changes)
      if (isDeepStrictEqual(current, wanted)) return toRecord(locked, current)
      await refuseLargerChange(tx, locked, { current, wanted })
      const { fqdn, type, value, strings, priority, weight, port, ttl, comment } = wanted
      const siblings = await shareTtl(tx, locked.teamId, wanted, nowMs)
      // The claim that it was put on may be one below, to which its new name doesn't belong.
      const moved = fqdn !== current.fqdn && { domainId: locked.id, reversed: reverseName(fqdn) }
      await tx
        .update(records)
        .set({ fqdn, type, value, strings, priority, weight, port, ...moved, ttl, comment, updatedMs: nowMs })
        .where(eq(records.id, id))
      const others = siblings.filter((sibling) => sibling.id !== id)
      await publish([
        recordUpdatedEvent(locked, current, wanted),
        ...others.map((sibling) => recordUpdatedEvent(locked, sibling, { ...sibling, ttl })),
      ])
      return toRecord(locked, { ...wanted, updated_ms: nowMs })
    },
  )
}
