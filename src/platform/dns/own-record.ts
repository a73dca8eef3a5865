/** The record to change or delete. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isAtOrBelow } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { zoneRecords } from '../../stores/db/schema/records.ts'
import { isOwn, managedById, recordColumns, recordNotFound } from './read-record.ts'
import type { ZoneRecord } from './record-output.ts'
import type { Zone } from './zone.ts'

/**
 * The team's own record in the zone.
 * @throws AppError `record_not_found`, or `record_conflict` for a managed one.
 */
export async function ownRecord(tx: Database, zone: Zone, id: string): Promise<ZoneRecord> {
  const [record] = await tx
    .select(recordColumns)
    .from(zoneRecords)
    .where(and(isOwn, eq(zoneRecords.teamId, zone.teamId), eq(zoneRecords.id, id)))
  if (record && isAtOrBelow(record.fqdn, zone.domain)) return record
  const managed = await managedById(tx, zone, id)
  throw managed ? isManaged(managed) : recordNotFound(id, zone)
}

function isManaged({ fqdn, type }: ZoneRecord): AppError {
  const instead =
    type === 'TXT'
      ? 'It proves ownership of the domain, and is deleted with the domain.'
      : `It points to the site or redirect of ${fqdn}: remove that from the domain, ` +
        'or create an A, AAAA, ALIAS or CNAME record of that name, which replaces it.'
  return new AppError('record_conflict', `This ${type} record of ${fqdn} is managed. ${instead}`)
}
