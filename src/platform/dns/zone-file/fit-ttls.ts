/** Adjusts TTLs: within limits, and one for all records of a name and type (RFC 2181, section 5.2). */
import { ttlSchema } from '../fields.ts'
import type { Note } from './parse.ts'

type Timed = { line: number; fqdn: string; type: string; ttl: number }

/** The records with valid TTLs, and a note for each adjusted one. The lowest of a set counts. */
export function fitTtls<T extends Timed>(records: T[]): { records: T[]; adjusted: Note[] } {
  const lowest = new Map<string, number>()
  const setOf = ({ fqdn, type }: Timed) => `${fqdn} ${type}`
  for (const record of records) {
    const ttl = withinLimits(record.ttl)
    lowest.set(setOf(record), Math.min(ttl, lowest.get(setOf(record)) ?? ttl))
  }
  const fitted = records.map((record) => ({ ...record, ttl: lowest.get(setOf(record)) ?? record.ttl }))
  const adjusted = records.flatMap(({ line, ttl, ...record }, index) => {
    const becomes = fitted[index]?.ttl
    if (ttl === becomes) return []
    return [{ line, message: `${record.fqdn} ${record.type}: the TTL ${ttl} becomes ${becomes}` }]
  })
  return { records: fitted, adjusted }
}

function withinLimits(ttl: number): number {
  const { minValue, maxValue } = ttlSchema
  return Math.min(Math.max(ttl, minValue ?? ttl), maxValue ?? ttl)
}
