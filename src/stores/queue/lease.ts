/** The lease of a claimed row: the time in the row until which it is left to whoever claimed it. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The length of a queue's leases, and the time now, in milliseconds. */
type Leases = { forMs: number; nowMs: number }

/**
 * The condition that the lease which ends at `endsMs`, a column in milliseconds, is running. One that ends
 * later than any that was taken by now could is of a clock that was set back since, and counts as over.
 */
export function isLeased(endsMs: SQLWrapper, { forMs, nowMs }: Leases): SQL {
  return sql`${endsMs} between ${nowMs}::bigint + 1 and ${nowMs + 2 * forMs}::bigint`
}
