/** Turns of recurring tasks that run once for all nodes. */
import { bigint, pgTable, text } from 'drizzle-orm/pg-core'

/** `nextMs` is of the database's clock. */
export const turns = pgTable('turns', {
  task: text().primaryKey(),
  nextMs: bigint('next_ms', { mode: 'number' }).notNull(),
})
