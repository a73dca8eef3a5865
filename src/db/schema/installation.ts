/** The one row that says this database was set up, and proves which encryption key it belongs to. */
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const installation = pgTable('installation', {
  id: integer().primaryKey(),
  encryptionCheck: text('encryption_check').notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
})
