/** A zone in memory: the records at each of its names. */
import type { RecordValue } from '../../../platform/dns/types/rule.ts'

/** All records of one type at one name; `type` is its number. */
export type RRset = { type: number; ttl: number; values: RecordValue[] }

/** `names` includes empty non-terminals, which only have names below them (RFC 4592, section 2.2.2). */
export type Zone = { apex: string; teamId: string; names: Map<string, RRset[]> }

/** The zones of everything at or below one registrable domain. */
export type Family = {
  registrable: string
  /** The zone of each verified name. */
  zones: Map<string, Zone>
  /** Its approximate size in memory. */
  bytes: number
  validity: Validity
}

/** Separate from the family, so that responses made from it don't keep it in memory. */
export type Validity = {
  /** Becomes false when the family is no longer known to be current. */
  isCurrent: boolean
}

/** The records of a type among those at one name. */
export function ofType(sets: RRset[], type: number): RRset | undefined {
  for (const set of sets) if (set.type === type) return set
  return undefined
}
