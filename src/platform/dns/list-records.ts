/** The records of a zone by pages, newest first. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { invalidField } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { records, zoneRecords } from '../../stores/db/schema/records.ts'
import type { Store } from '../../stores/db/store.ts'
import { atOrBelow } from '../zones/name-range.ts'
import { isOwn, managedAt, managedBelow, recordColumns, toRecord } from './read-record.ts'
import type { ListRecords } from './record-input.ts'
import { readRecordName } from './record-names.ts'
import type { DnsRecord } from './record-output.ts'
import { type Claim, findZone, type Zone } from './zone.ts'

/**
 * The records of the zone that `reference` belongs to, including managed ones; through a claim below another
 * those at or below it. `name` is relative to the zone.
 * @throws AppError `domain_not_found`, `invalid_input` (`name`), `invalid_cursor`.
 */
export async function listRecords(
  { store: { db } }: { store: Store },
  teamId: string,
  reference: string,
  options: ListRecords,
): Promise<Page<DnsRecord>> {
  const { zone, claim } = await findZone(db, teamId, reference)
  const rows = await pageQuery(db, zone, claim, options)
  const page = pageOf(rows, options.limit, (row) => [row.created_ms, row.id])
  return { ...page, data: page.data.map((row) => toRecord(zone, row)) }
}

const newestFirst = [desc(zoneRecords.createdMs), desc(zoneRecords.id)]

/**
 * The query for the rows of a page, plus one if there are more: as many of the team's own records as of the
 * managed ones, the newest of both.
 * @throws AppError `invalid_input`, `invalid_cursor`.
 */
export function pageQuery(
  db: Database,
  zone: Zone,
  claim: Claim,
  { name, type, limit, cursor }: ListRecords,
) {
  const fqdn = name === undefined ? undefined : fqdnOf(name, zone)
  const matching = and(
    type && eq(zoneRecords.type, type),
    afterCursor('record', cursor, zoneRecords.createdMs, zoneRecords.id),
  )
  const below = claim.id === zone.id ? undefined : atOrBelow(zoneRecords.reversed, claim.domain)
  const newest = (condition: SQL | undefined) =>
    db
      .select(recordColumns)
      .from(zoneRecords)
      .where(and(condition, below, matching))
      .orderBy(...newestFirst)
      .limit(limit + 1)
  const ofTeam = eq(zoneRecords.teamId, zone.teamId)
  // Claims further below are few, and are filtered.
  const among = below ? ofTeam : newestOfClaims(zone, type, cursor, limit + 1)
  return unionAll(
    newest(and(isOwn, fqdn === undefined ? among : and(ofTeam, eq(zoneRecords.fqdn, fqdn)))),
    newest(fqdn === undefined ? managedBelow(db, zone, claim.domain) : managedAt(db, zone, fqdn)),
  )
    .orderBy(...newestFirst)
    .limit(limit + 1)
}

function fqdnOf(name: string, zone: Zone): string {
  const fqdn = readRecordName(name, zone.domain)
  if (typeof fqdn !== 'string') throw invalidField('name', fqdn.problem)
  return fqdn
}

/**
 * The condition for the newest `count` records of each claim in the zone, which an index has in order. A zone
 * has one claim with records, and others only if they are older.
 */
function newestOfClaims(
  { teamId, registrable, domain }: Zone,
  type: ListRecords['type'],
  cursor: string | undefined,
  count: number,
): SQL {
  const matching = and(
    sql`${records.domainId} = ${domains.id}`,
    type && eq(records.type, type),
    afterCursor('record', cursor, records.createdMs, records.id),
  )
  return sql`${zoneRecords.id} = any(array(
    select newest.id from ${domains} cross join lateral (
      select ${records.id} from ${records} where ${matching}
      order by ${records.createdMs} desc, ${records.id} desc limit ${sql.raw(String(count))}
    ) as newest
    where ${eq(domains.teamId, teamId)} and ${eq(domains.registrable, registrable)}
      and ${atOrBelow(domains.reversed, domain)}))`
}
