/** All records of a zone at once. */
import { and, eq } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '../../../stores/db/database.ts'
import { zoneRecords } from '../../../stores/db/schema/records.ts'
import { atOrBelow } from '../../zones/name-range.ts'
import { isOwn, managedBelow, recordColumns } from '../read-record.ts'
import type { ZoneRecord } from '../record-output.ts'
import type { Zone } from '../zone.ts'

/** The team's records of the zone, and the managed ones. */
export async function recordsOf(db: Database, zone: Zone): Promise<ZoneRecord[]> {
  const select = () => db.select(recordColumns).from(zoneRecords)
  return unionAll(
    select().where(
      and(isOwn, eq(zoneRecords.teamId, zone.teamId), atOrBelow(zoneRecords.reversed, zone.domain)),
    ),
    select().where(managedBelow(db, zone, zone.domain)),
  )
}
