/** Changes a record of a zone. */
import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import type { Actor } from '../auth/actor.ts'
import type { Database } from '../db/open.ts'
import { records } from '../db/schema/records.ts'
import { invalidField } from '../errors.ts'
import { reverseName } from '../names/domain-name.ts'
import { recordEvent } from './event-data.ts'
import { defaultTtl } from './fields.ts'
import { recordsAt, refuseClash, shareTtl, siblingTtl } from './name-records.ts'
import { ownRecord } from './own-record.ts'
import { parseRecordOrThrow, type RecordInput } from './parse-record.ts'
import { toRecord } from './read.ts'
import type { DnsRecord, ZoneRecord } from './record.ts'
import { type ChangeDeps, changeZone, findZone, type Zone } from './zone.ts'
import { recordBytes, refuseTooLarge } from './zone-size.ts'

/** An omitted field keeps its value; `null` clears it, a `ttl` back to its default. */
export type RecordChanges = {
  [K in keyof RecordInput]?: RecordInput[K] | undefined
} & { ttl?: number | null | undefined; comment?: string | null | undefined }

/**
 * Changes the record, and sets the `ttl` of its name and type. Moved to another name without one, it gets the TTL there.
 * Unchanged values aren't written.
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
    async (tx, locked, { nowMs, tell }) => {
      const { current, wanted } = await planChange(tx, locked, id, changes)
      if (isDeepStrictEqual(current, wanted)) return toRecord(locked, current)
      await refuseTooLarge(tx, locked, { records: 0, bytes: recordBytes(wanted) - recordBytes(current) })
      const { fqdn, type, value, priority, weight, port, ttl, comment } = wanted
      const siblings = await shareTtl(tx, locked.teamId, wanted, nowMs)
      // The claim that it was put on may be one below, to which its new name doesn't belong.
      const moved = fqdn !== current.fqdn && { domainId: locked.id, reversed: reverseName(fqdn) }
      await tx
        .update(records)
        .set({ fqdn, type, value, priority, weight, port, ...moved, ttl, comment, updatedMs: nowMs })
        .where(eq(records.id, id))
      const others = siblings.filter((sibling) => sibling.id !== id)
      await tell([wanted, ...others].map((record) => recordEvent('updated', locked, record)))
      return toRecord(locked, { ...wanted, updated_ms: nowMs })
    },
  )
}

/** The current record, and the new one but for `updated_ms`. */
async function planChange(
  db: Database,
  zone: Zone,
  id: string,
  changes: RecordChanges,
): Promise<{ current: ZoneRecord; wanted: ZoneRecord }> {
  const current = await ownRecord(db, zone, id)
  if (changes.type !== undefined && changes.type !== current.type) {
    throw invalidField(
      'type',
      `is ${current.type} and can't be changed: delete the record and create another`,
    )
  }
  const data = parseRecordOrThrow(merge(current, changes), zone.domain)
  const others = (await recordsAt(db, zone, data.fqdn)).filter((other) => other.id !== id)
  refuseClash(others, data)
  const requested = changes.ttl === null ? defaultTtl : changes.ttl
  const ttl = requested ?? siblingTtl(others, data) ?? current.ttl
  const comment = changes.comment === undefined ? current.comment : changes.comment
  return { current, wanted: { ...current, ...data, ttl, comment } }
}

function merge(current: ZoneRecord, changes: RecordChanges): RecordInput {
  const { name = `${current.fqdn}.`, value = current.value } = changes
  const { priority = current.priority, weight = current.weight, port = current.port } = changes
  return { name, type: current.type, value, priority, weight, port }
}
