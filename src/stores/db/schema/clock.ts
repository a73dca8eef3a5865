/** The latest time at which this installation is known to have run. */
import { bigint, integer, pgTable } from 'drizzle-orm/pg-core'

/** One row, which moves forward with the clock. */
export const clockMark = pgTable('clock_mark', {
  id: integer().primaryKey(),
  seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
})
