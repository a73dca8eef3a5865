/** Reads DNS records. */
import { and, eq, type SQLWrapper, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isAtOrBelow } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { zoneRecords } from '../../stores/db/schema/records.ts'
import type { Store } from '../../stores/db/store.ts'
import { atOrBelow } from '../zones/name-range.ts'
import { relativeName } from './record-names.ts'
import type { DnsRecord, ZoneRecord } from './record-output.ts'
import { returnedStrings } from './returned-strings.ts'
import { type Claim, findZone, type Zone } from './zone.ts'

/** The columns of a record that a zone holds. */
export const recordColumns = {
  id: zoneRecords.id,
  fqdn: zoneRecords.fqdn,
  type: zoneRecords.type,
  value: zoneRecords.value,
  strings: zoneRecords.strings,
  ttl: zoneRecords.ttl,
  priority: zoneRecords.priority,
  weight: zoneRecords.weight,
  port: zoneRecords.port,
  comment: zoneRecords.comment,
  managed: zoneRecords.managed,
  created_ms: zoneRecords.createdMs,
  updated_ms: zoneRecords.updatedMs,
}

/** A row as a record in responses. */
export function toRecord({ domain }: Zone, record: ZoneRecord): DnsRecord {
  return { ...record, strings: returnedStrings(record), domain, name: relativeName(record.fqdn, domain) }
}

/** The error for a record that the zone doesn't have, whether or not it exists. */
export function recordNotFound(id: string, { domain }: Claim): AppError {
  return new AppError('record_not_found', `${domain} has no record ${id}.`)
}

/** The condition for the team's own records. A literal, so that the planner skips the view's other parts. */
export const isOwn = sql`not ${zoneRecords.managed}`

const storedById = prepared((db) =>
  db
    .select(recordColumns)
    .from(zoneRecords)
    .where(
      and(
        isOwn,
        eq(zoneRecords.teamId, sql.placeholder('teamId')),
        eq(zoneRecords.id, sql.placeholder('id')),
      ),
    )
    .prepare('record_by_id'),
)

/**
 * The record of the zone that `reference` belongs to. Through a claim below another only those at or below
 * it.
 * @throws AppError `domain_not_found`, `record_not_found`.
 */
export async function getRecord(
  { store: { lookUps } }: { store: Store },
  teamId: string,
  reference: string,
  id: string,
): Promise<DnsRecord> {
  const [{ zone, claim }, [stored]] = await Promise.all([
    findZone(lookUps, teamId, reference),
    storedById(lookUps).execute({ teamId, id }),
  ])
  const record = stored ?? (await managedById(lookUps, zone, id))
  if (!record || !isAtOrBelow(record.fqdn, claim.domain)) throw recordNotFound(id, claim)
  return toRecord(zone, record)
}

/** The managed record in the zone. */
export async function managedById(db: Database, zone: Zone, id: string): Promise<ZoneRecord | undefined> {
  const [record] = await db
    .select(recordColumns)
    .from(zoneRecords)
    .where(and(managedBelow(db, zone, zone.domain), eq(zoneRecords.id, id)))
  return record
}

/** The condition for managed records at or below a name in the zone: they belong to the claims there. */
export function managedBelow(db: Database, zone: Zone, name: string) {
  const claims = and(
    eq(domains.teamId, zone.teamId),
    eq(domains.registrable, zone.registrable),
    atOrBelow(domains.reversed, name),
  )
  return managedOf(db.select({ id: domains.id }).from(domains).where(claims))
}

/** The condition for managed records at exactly a name: they belong to its claim, or to those above. */
export function managedAt(db: Database, { teamId }: Zone, fqdn: string) {
  const claimOf = (domain: string) =>
    db
      .select({ id: domains.id })
      .from(domains)
      .where(and(eq(domains.teamId, teamId), eq(domains.domain, domain)))
  // Separate subqueries, so that each is one index lookup, however many claims the team has.
  const claims = sql`${claimOf(fqdn)} union all ${claimOf(fqdn.slice(fqdn.indexOf('.') + 1))}`
  return and(managedOf(claims), eq(zoneRecords.fqdn, fqdn))
}

/** `claims` selects the ids of claims of one team. As an array: then each part of the view uses its index. */
function managedOf(claims: SQLWrapper) {
  return and(sql`${zoneRecords.managed}`, sql`${zoneRecords.domainId} = any(array(${claims}))`)
}
