/** The one row that says this database was set up, and proves which encryption key it belongs to. */
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const installation = pgTable('installation', {
  id: integer().primaryKey(),
  encryptionCheck: text('encryption_check').notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
})

/** The one row that names this installation: a store of blobs with another name belongs to another database. */
export const installationId = pgTable('installation_id', {
  id: integer().primaryKey(),
  value: text().notNull(),
})
