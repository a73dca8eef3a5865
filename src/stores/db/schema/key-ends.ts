/** Work that is yet to be done about keys that end by themselves. */
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { apiKeys } from './keys.ts'

/** A row is deleted by whoever does it: so a notice is sent once, and the trail has one line of an end. */
export const keyEnds = pgTable(
  'key_ends',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    step: text({ enum: ['notice', 'end'] }).notNull(),
    dueMs: bigint('due_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.step] }),
    index('key_ends_due').on(table.step, table.dueMs),
  ],
)
