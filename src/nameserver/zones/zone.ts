/** A zone in memory: what there is at each of its names. */

/** One record as it is stored; what its type doesn't have is null. */
export type RecordValue = {
  value: string
  priority: number | null
  weight: number | null
  port: number | null
}

/** All records of one type at one name; `type` is its number. */
export type RRset = { type: number; ttl: number; values: RecordValue[] }

/** `names` also holds those that only have names below them, without records (RFC 4592, section 2.2.2). */
export type Zone = { apex: string; teamId: string; names: Map<string, RRset[]> }

/** The zones of everything at or below one registrable domain. */
export type Family = {
  registrable: string
  /** The zone of each proven name. */
  zones: Map<string, Zone>
  /** What it takes in memory, more or less. */
  bytes: number
  validity: Validity
}

/** Apart from the family, so that what was made from one doesn't keep it in memory. */
export type Validity = {
  /** Becomes false when the family is no longer known to be what the database says. */
  isCurrent: boolean
}

/** The records of a type among those at one name. */
export function ofType(sets: RRset[], type: number): RRset | undefined {
  for (const set of sets) if (set.type === type) return set
  return undefined
}
