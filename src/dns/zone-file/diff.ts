/** What has to be done so that a zone has these records and no others. */

import type { RecordData } from '../types/rule.ts'

export type Difference<Present, Wanted> = {
  added: Wanted[]
  removed: Present[]
  /** Those whose TTL becomes another. */
  changed: { record: Present; ttl: number }[]
  unchanged: number
}

/** The difference between the records that are there and those that are wanted, none of which is wanted twice. */
export function differenceOf<
  Present extends RecordData & { ttl: number },
  Wanted extends RecordData & { ttl: number },
>(present: Present[], wanted: Wanted[]): Difference<Present, Wanted> {
  const ttls = new Map(wanted.map((record) => [identityOf(record), record.ttl]))
  const known = new Set(present.map(identityOf))
  const kept = present.flatMap((record) => {
    const ttl = ttls.get(identityOf(record))
    return ttl === undefined ? [] : [{ record, ttl }]
  })
  const changed = kept.filter(({ record, ttl }) => record.ttl !== ttl)
  return {
    added: wanted.filter((record) => !known.has(identityOf(record))),
    removed: present.filter((record) => !ttls.has(identityOf(record))),
    changed,
    unchanged: kept.length - changed.length,
  }
}

/** Equal for records that are the same, whatever their TTLs. */
export function identityOf({ fqdn, type, value, priority, weight, port }: RecordData): string {
  return JSON.stringify([fqdn, type, value, priority, weight, port])
}
