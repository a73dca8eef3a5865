/** The one row that marks this database as set up, and proves which encryption key it belongs to. */
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const installation = pgTable('installation', {
  id: integer().primaryKey(),
  encryptionCheck: text('encryption_check').notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  /** How often objects that were missing in the blob store have been announced. */
  losses: bigint({ mode: 'number' }).notNull().default(0),
})

/** The one row with this installation's id: a blob store with another id belongs to another database. */
export const installationId = pgTable('installation_id', {
  id: integer().primaryKey(),
  value: text().notNull(),
  /** Where the blobs of all nodes are, as `s3://<bucket>/<prefix>`; null: in a directory. */
  bucket: text(),
  /** The id of that directory; null until a node of a version after 0.1 has started on it. */
  directory: text(),
  /** Where a node found it first, for people. */
  directoryPlace: text('directory_place'),
})
