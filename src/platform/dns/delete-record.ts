/** Deletes a record of a zone. */
import { eq } from 'drizzle-orm'
import { records } from '../../stores/db/schema/records.ts'
import type { Actor } from '../callers/actor.ts'
import { ownRecord } from './own-record.ts'
import { recordEvent } from './record-event.ts'
import { type ChangeDeps, changeZone } from './zone.ts'

/**
 * @throws AppError `domain_not_found`, `in_zone_of`, `record_not_found`, `record_conflict` (a managed one).
 */
export function deleteRecord(
  deps: ChangeDeps,
  actor: Actor,
  reference: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  return changeZone(deps, actor, { domain: reference }, async (tx, zone, { publish }) => {
    const record = await ownRecord(tx, zone, id)
    await tx.delete(records).where(eq(records.id, id))
    await publish([recordEvent('deleted', zone, record)])
    return { id, deleted: true }
  })
}
