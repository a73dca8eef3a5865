/** Creates a record in a zone. */
import type { Actor } from '../auth/actor.ts'
import { records } from '../db/schema/records.ts'
import type { Remember } from '../idempotency/once.ts'
import { newId } from '../ids.ts'
import { reverseName } from '../names/domain-name.ts'
import { recordEvent } from './event-data.ts'
import { defaultTtl } from './fields.ts'
import { recordsAt, refuseClash, shareTtl, siblingTtl } from './name-records.ts'
import { parseRecordOrThrow, type RecordInput } from './parse-record.ts'
import { toRecord } from './read.ts'
import type { DnsRecord } from './record.ts'
import { type ChangeDeps, changeZone } from './zone.ts'
import { recordBytes, refuseTooLarge } from './zone-size.ts'

/** `domain` is the name or id of the zone. */
type NewRecord = RecordInput & {
  domain: string
  ttl?: number | null | undefined
  comment?: string | null | undefined
}

/**
 * Creates the record, and gives those of its name and type its `ttl`; without one it takes theirs.
 * @throws AppError `domain_not_found`, `in_zone_of`, `invalid_input`, `record_conflict`, `too_many_records`.
 */
export function createRecord(
  deps: ChangeDeps,
  actor: Actor,
  { domain, ...input }: NewRecord,
  remember?: Remember,
): Promise<DnsRecord> {
  return changeZone(deps, actor, { domain, recordName: input.name }, async (tx, zone, { nowMs, tell }) => {
    const { teamId } = zone
    const data = parseRecordOrThrow(input, zone.domain)
    const others = await recordsAt(tx, zone, data.fqdn)
    refuseClash(others, data)
    const comment = input.comment ?? null
    await refuseTooLarge(tx, zone, { records: 1, bytes: recordBytes({ ...data, comment }) })
    const ttl = input.ttl ?? siblingTtl(others, data) ?? defaultTtl
    const siblings = await shareTtl(tx, teamId, { ...data, ttl }, nowMs)
    const id = newId('record', nowMs)
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
