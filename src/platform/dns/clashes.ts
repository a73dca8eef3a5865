/** Conflicts between the records of a zone. */
import type { RecordType } from '../../lib/names/record-types.ts'
import type { RecordData } from './types/rule.ts'
import { rules } from './types/rules.ts'
import { wireBytes } from './wire-size.ts'

/**
 * `record` can't be added to those before it, because of `other`. The message is a sentence that says why.
 */
export type Clash<T> = { record: T; other: T; message: string }

/** The room in a message of 65,535 bytes beside the header, the longest question and EDNS. */
const maxSetBytes = 64_500

type AtName<T> = { first: Map<RecordType, T>; same: Map<string, T>; bytes: Map<RecordType, number> }

/**
 * Checks records in order, and finds each that can't be added to those before it; it is then treated as
 * absent. Managed addresses, which give way, are not to be among them.
 */
export function findClashes<T extends RecordData>(records: Iterable<T>): Clash<T>[] {
  const names = new Map<string, AtName<T>>()
  const clashes: Clash<T>[] = []
  for (const record of records) {
    const at = names.get(record.fqdn) ?? { first: new Map(), same: new Map(), bytes: new Map() }
    names.set(record.fqdn, at)
    const [key, bytes] = [keyOf(record), wireBytes(record)]
    const clash = clashAt(at, record, key, bytes)
    if (clash !== undefined) {
      clashes.push(clash)
      continue
    }
    if (!at.first.has(record.type)) at.first.set(record.type, record)
    at.same.set(key, record)
    at.bytes.set(record.type, (at.bytes.get(record.type) ?? 0) + bytes)
  }
  return clashes
}

function clashAt<T extends RecordData>(
  { first, same, bytes }: AtName<T>,
  record: T,
  key: string,
  ownBytes: number,
): Clash<T> | undefined {
  const { fqdn, type } = record
  const equal = same.get(key)
  if (equal !== undefined) return { record, other: equal, message: `${fqdn} has this very ${type} record.` }
  for (const other of first.values()) {
    const why = exclusion(record, other)
    if (why !== undefined) return { record, other, message: `${why}: ${fqdn} has ${describe(other)}.` }
  }
  const other = first.get(type)
  if (other === undefined || (bytes.get(type) ?? 0) + ownBytes <= maxSetBytes) return undefined
  return { record, other, message: `The ${type} records of ${fqdn} would not fit in one DNS message.` }
}

/** Why two records can't coexist at one name, in either order. */
function exclusion(one: RecordData, other: RecordData): string | undefined {
  return rules[one.type].excludes?.(one, other) ?? rules[other.type].excludes?.(other, one)
}

function keyOf({ type, value, strings, priority, weight, port }: RecordData): string {
  return JSON.stringify([type, value, strings, priority, weight, port])
}

function describe({ type, value }: RecordData): string {
  return `${type} ${value.length > 100 ? `${value.slice(0, 100)}…` : value}`
}
