/** Deletes a record of a zone. */
import { eq } from 'drizzle-orm'
import { records } from '../db/schema/records.ts'
import { ownRecord } from './own-record.ts'
import { type ChangeDeps, changeZone } from './zone.ts'

/** @throws AppError `domain_not_found`, `in_zone_of`, `record_not_found`, `record_conflict` (a managed one). */
export function deleteRecord(
  deps: ChangeDeps,
  teamId: string,
  reference: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  return changeZone(deps, teamId, reference, undefined, async (tx, zone) => {
    await ownRecord(tx, zone, id)
    await tx.delete(records).where(eq(records.id, id))
    return { id, deleted: true }
  })
}
