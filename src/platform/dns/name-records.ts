/** The records at the name of a new or changed record, for conflicts and the shared TTL. */
import { and, eq, ne } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { records, zoneRecords } from '../../stores/db/schema/records.ts'
import { findClashes } from './clashes.ts'
import { findUnmet } from './needs.ts'
import { isOwn, managedAt, recordColumns } from './read-record.ts'
import type { RecordSummary } from './record-event.ts'
import type { ZoneRecord } from './record-output.ts'
import type { RecordData } from './types/rule.ts'
import type { Zone } from './zone.ts'

/**
 * The query for the team's records at a name, and the managed proof there. Managed addresses are left out:
 * they give way to the team's.
 */
export function recordsAt(tx: Database, zone: Zone, fqdn: string) {
  const select = () => tx.select(recordColumns).from(zoneRecords)
  return unionAll(
    select().where(and(isOwn, eq(zoneRecords.teamId, zone.teamId), eq(zoneRecords.fqdn, fqdn))),
    select().where(and(managedAt(tx, zone, fqdn), eq(zoneRecords.type, 'TXT'))),
  )
}

/**
 * @throws AppError `record_conflict` when the record can't be added to those at its name, or lacks one there.
 */
export function refuseClash(others: ZoneRecord[], record: RecordData): void {
  const clash = findClashes<RecordData & { id?: string; managed?: boolean }>([...others, record]).find(
    (each) => each.record === record,
  )
  const unmet = findUnmet([...others, record]).find((each) => each.record === record)
  if (unmet) throw new AppError('record_conflict', `${unmet.message} Create those first.`)
  if (clash === undefined) return
  const { id, managed } = clash.other
  const way = managed ? 'That one is managed.' : `Change or delete ${id} first.`
  throw new AppError('record_conflict', `${clash.message} ${way}`)
}

/** The TTL of the team's records of this name and type, if any. */
export function siblingTtl(others: ZoneRecord[], { type }: RecordData): number | undefined {
  return others.find((each) => each.type === type && !each.managed)?.ttl
}

/**
 * Sets the TTL of all records of a name and type (RFC 2181, section 5.2), and resolves to those that had
 * another, as they were.
 */
export async function shareTtl(
  tx: Database,
  teamId: string,
  { fqdn, type, ttl }: Pick<ZoneRecord, 'fqdn' | 'type' | 'ttl'>,
  nowMs: number,
): Promise<RecordSummary[]> {
  const set = and(eq(records.teamId, teamId), eq(records.fqdn, fqdn), eq(records.type, type))
  const differing = and(set, ne(records.ttl, ttl))
  const before = await tx
    .select({
      id: records.id,
      fqdn: records.fqdn,
      type: records.type,
      value: records.value,
      strings: records.strings,
      ttl: records.ttl,
      priority: records.priority,
      weight: records.weight,
      port: records.port,
    })
    .from(records)
    .where(differing)
  if (before.length > 0) await tx.update(records).set({ ttl, updatedMs: nowMs }).where(differing)
  return before
}
