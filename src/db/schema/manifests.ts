/** Manifests: which path of a site is which blob. */
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { blobs } from './blobs.ts'
import { teams } from './teams.ts'

/** A set of files. `releasedMs` is set when its deployment is gone; its entries are then removed in batches. */
export const manifests = pgTable(
  'manifests',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    releasedMs: bigint('released_ms', { mode: 'number' }),
  },
  (table) => [index('manifests_released').on(table.releasedMs).where(sql`${table.releasedMs} is not null`)],
)

export const manifestEntries = pgTable(
  'manifest_entries',
  {
    manifestId: bigint('manifest_id', { mode: 'number' })
      .notNull()
      .references(() => manifests.id),
    path: text().notNull(),
    blobId: bigint('blob_id', { mode: 'number' })
      .notNull()
      .references(() => blobs.id),
  },
  (table) => [
    primaryKey({ columns: [table.manifestId, table.path] }),
    index('manifest_entries_by_blob').on(table.blobId),
  ],
)
