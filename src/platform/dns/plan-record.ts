/** The result of creating or changing a record, for doing so and for a preview. */

import { invalidField } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { defaultTtl } from './fields.ts'
import { recordsAt, refuseClash, siblingTtl } from './name-records.ts'
import { ownRecord } from './own-record.ts'
import { orThrow, parseRecord } from './parse-record.ts'
import { parseTyped } from './parse-typed.ts'
import type { NewRecord, RecordChanges, RecordInput } from './record-input.ts'
import type { ZoneRecord } from './record-output.ts'
import type { RecordData } from './types/rule.ts'
import type { Zone } from './zone.ts'
import { recordBytes, refuseTooLarge } from './zone-size.ts'

/** A record as it is to be, in canonical form. */
type PlannedRecord = RecordData & Pick<ZoneRecord, 'ttl' | 'comment'>

/**
 * The new record; without a `ttl` it takes that of its name and type.
 * @throws AppError `invalid_input`, `record_conflict`, `too_many_records`.
 */
export async function planCreation(db: Database, zone: Zone, input: NewRecord): Promise<PlannedRecord> {
  const data = orThrow(parseTyped(input, zone.domain))
  const others = await recordsAt(db, zone, data.fqdn)
  refuseClash(others, data)
  const comment = input.comment ?? null
  await refuseTooLarge(db, zone, { records: 1, bytes: recordBytes({ ...data, comment }) })
  return { ...data, ttl: input.ttl ?? siblingTtl(others, data) ?? defaultTtl, comment }
}

/**
 * The current record, and the new one but for `updated_ms`.
 * @throws AppError `record_not_found`, `invalid_input`, `record_conflict`.
 */
export async function planChange(
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
  // What is stored isn't read again as if it were typed.
  const isTyped = changes.value !== undefined && changes.value !== current.value
  const parse = isTyped ? parseTyped : parseRecord
  const data = orThrow(parse(merge(current, changes), zone.domain))
  const others = (await recordsAt(db, zone, data.fqdn)).filter((other) => other.id !== id)
  refuseClash(others, data)
  const requested = changes.ttl === null ? defaultTtl : changes.ttl
  const ttl = requested ?? siblingTtl(others, data) ?? current.ttl
  const comment = changes.comment === undefined ? current.comment : changes.comment
  return { current, wanted: { ...current, ...data, ttl, comment } }
}

/** @throws AppError `too_many_records` when the zone has no room for the change. */
export async function refuseLargerChange(
  db: Database,
  zone: Zone,
  { current, wanted }: { current: ZoneRecord; wanted: ZoneRecord },
): Promise<void> {
  await refuseTooLarge(db, zone, { records: 0, bytes: recordBytes(wanted) - recordBytes(current) })
}

function merge(current: ZoneRecord, changes: RecordChanges): RecordInput {
  const { name = `${current.fqdn}.` } = changes
  const value = changes.value ?? changes.strings?.join('') ?? current.value
  const kept = value === current.value ? current.strings : null
  const { strings = kept } = changes
  const { priority = current.priority, weight = current.weight, port = current.port } = changes
  return { name, type: current.type, value, strings, priority, weight, port }
}
