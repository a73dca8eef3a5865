/** Creates a record in a zone. */
import { and, count, eq, sql } from 'drizzle-orm'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/open.ts'
import { records } from '../db/schema/records.ts'
import { reverseName } from '../domain-name.ts'
import { AppError } from '../errors.ts'
import type { Remember } from '../idempotency/once.ts'
import { newId } from '../ids.ts'
import { atOrBelow } from '../zones/below.ts'
import { recordEvent } from './event-data.ts'
import { defaultTtl } from './fields.ts'
import { recordsAt, refuseClash, shareTtl, siblingTtl } from './name-records.ts'
import { parseRecordOrThrow, type RecordInput } from './parse-record.ts'
import { type DnsRecord, toRecord } from './read.ts'
import { type ChangeDeps, changeZone, type Zone } from './zone.ts'

type NewRecord = RecordInput & { ttl?: number | null | undefined; comment?: string | null | undefined }

/** How many records of its team a zone may have. */
export const maxRecords = 10_000

/**
 * Creates the record, and gives those of its name and type its `ttl`; without one it takes theirs.
 * @throws AppError `domain_not_found`, `in_zone_of`, `invalid_input`, `record_conflict`, `too_many_records`.
 */
export function createRecord(
  deps: ChangeDeps,
  actor: Actor,
  reference: string,
  input: NewRecord,
  remember?: Remember,
): Promise<DnsRecord> {
  return changeZone(deps, actor, reference, input.name, async (tx, zone, { nowMs, tell }) => {
    const { teamId } = zone
    const data = parseRecordOrThrow(input, zone.domain)
    const others = await recordsAt(tx, zone, data.fqdn)
    refuseClash(others, data)
    await refuseTooMany(tx, zone)
    const ttl = input.ttl ?? siblingTtl(others, data) ?? defaultTtl
    const siblings = await shareTtl(tx, teamId, data, ttl, nowMs)
    const id = newId('record', nowMs)
    const comment = input.comment ?? null
    await tx.insert(records).values({
      ...data,
      id,
      teamId,
      domainId: zone.id,
      reversed: reverseName(data.fqdn),
      ttl,
      comment,
      createdMs: nowMs,
      updatedMs: nowMs,
    })
    const stored = { ...data, id, ttl, comment, managed: false, created_ms: nowMs, updated_ms: nowMs }
    await tell([
      recordEvent('created', zone, stored),
      ...siblings.map((sibling) => recordEvent('updated', zone, sibling)),
    ])
    const record = toRecord(zone, stored)
    await remember?.(tx, record)
    return record
  })
}

async function refuseTooMany(tx: Database, { teamId, domain }: Zone): Promise<void> {
  const some = tx
    .select({ one: sql`1` })
    .from(records)
    .where(and(eq(records.teamId, teamId), atOrBelow(records.reversed, domain)))
    .limit(maxRecords)
    .as('some')
  const [row] = await tx.select({ count: count() }).from(some)
  if (!row || row.count < maxRecords) return
  throw new AppError(
    'too_many_records',
    `${domain} has ${maxRecords} records, as many as a zone may have. Delete some first.`,
  )
}
