/** Uploads that clients may send straight to the blob store. */
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * At most one for each digest of a team. `object` is the name that its bytes get, which no object had before;
 * its signed URL works until `expiresMs`, and until then its bytes count as used. The row goes when the
 * object becomes a blob, or is removed (see blobs/direct-uploads.ts).
 */
export const directUploads = pgTable(
  'direct_uploads',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    sha256: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    object: text().notNull().unique(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.sha256] }),
    index('direct_uploads_by_expiry').on(table.expiresMs),
  ],
)
