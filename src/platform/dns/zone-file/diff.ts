/** The changes that turn a zone's records into given ones. */

import type { RecordData } from '../types/rule.ts'

export type Difference<Present, Wanted> = {
  added: Wanted[]
  removed: Present[]
  /** Records with a new TTL. */
  changed: { record: Present; ttl: number }[]
  unchanged: number
}

/** The difference between the existing and the wanted records, which have no duplicates. */
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

/** Equal for equal records, whatever their TTLs. */
export function identityOf({ fqdn, type, value, strings, priority, weight, port }: RecordData): string {
  return JSON.stringify([fqdn, type, value, strings, priority, weight, port])
}
