/** Changes a record of a zone. */
import { eq } from 'drizzle-orm'
import { records } from '../db/schema/records.ts'
import { reverseName } from '../domain-name.ts'
import { invalidField } from '../errors.ts'
import { defaultTtl } from './fields.ts'
import { recordsAt, refuseClash, shareTtl, siblingTtl } from './name-records.ts'
import { ownRecord } from './own-record.ts'
import { parseRecordOrThrow, type RecordInput } from './parse-record.ts'
import { type DnsRecord, toRecord, type ZoneRecord } from './read.ts'
import { type ChangeDeps, changeZone } from './zone.ts'

/** A field left out keeps its value; `null` clears it, a `ttl` back to its default. */
export type RecordChanges = {
  [K in keyof RecordInput]?: RecordInput[K] | undefined
} & { ttl?: number | null | undefined; comment?: string | null | undefined }

/**
 * Changes the record, and gives those of its name and type its `ttl`. Moved to another name without one,
 * it takes that of those which are there.
 * @throws AppError `domain_not_found`, `in_zone_of`, `record_not_found`, `invalid_input`, `record_conflict`.
 */
export function putRecord(
  deps: ChangeDeps,
  teamId: string,
  reference: string,
  id: string,
  changes: RecordChanges,
): Promise<DnsRecord> {
  return changeZone(deps, teamId, reference, changes.name, async (tx, zone, nowMs) => {
    const current = await ownRecord(tx, zone, id)
    if (changes.type !== undefined && changes.type !== current.type) {
      throw invalidField(
        'type',
        `is ${current.type} and can't be changed: delete the record and create another`,
      )
    }
    const data = parseRecordOrThrow(merge(current, changes), zone.domain)
    const others = (await recordsAt(tx, zone, data.fqdn)).filter((other) => other.id !== id)
    refuseClash(others, data)
    const asked = changes.ttl === null ? defaultTtl : changes.ttl
    const ttl = asked ?? siblingTtl(others, data) ?? current.ttl
    const comment = changes.comment === undefined ? current.comment : changes.comment
    await shareTtl(tx, teamId, data, ttl, nowMs)
    // The claim that it was put on may be one below, to which its new name doesn't belong.
    const moved = data.fqdn !== current.fqdn && { domainId: zone.id, reversed: reverseName(data.fqdn) }
    await tx
      .update(records)
      .set({ ...data, ...moved, ttl, comment, updatedMs: nowMs })
      .where(eq(records.id, id))
    return toRecord(zone, { ...current, ...data, ttl, comment, updated_ms: nowMs })
  })
}

function merge(current: ZoneRecord, changes: RecordChanges): RecordInput {
  const { name = `${current.fqdn}.`, value = current.value } = changes
  const { priority = current.priority, weight = current.weight, port = current.port } = changes
  return { name, type: current.type, value, priority, weight, port }
}
