/** Manifests: which path of a site is which blob. */
import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * A set of files. `rules` are the parsed `_redirects` and `_headers` (see sites/rules/rules.ts), null
 * without any. `hashPlaces` are where names contain hashes (see sites/hashed-names/hash-places.ts),
 * null in manifests of earlier versions. The files of a server have `links`, symbolic ones, each with its
 * target relative to its own directory, and `executables`, the paths that may be executed. `releasedMs` is
 * set when its deployment is deleted; its entries are then deleted in batches.
 */
export const manifests = pgTable(
  'manifests',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    rules: jsonb(),
    hashPlaces: jsonb('hash_places'),
    links: jsonb().$type<Record<string, string>>(),
    executables: jsonb().$type<string[]>(),
    releasedMs: bigint('released_ms', { mode: 'number' }),
  },
  (table) => [index('manifests_released').on(table.releasedMs).where(sql`${table.releasedMs} is not null`)],
)

/**
 * Without foreign keys: checked entry by entry, they would take most of the time of creating a deployment.
 * `insertManifest` locks and counts the blobs all at once instead, and `collectBlobs` looks for entries once
 * it has locked a blob.
 */
export const manifestEntries = pgTable(
  'manifest_entries',
  {
    manifestId: bigint('manifest_id', { mode: 'number' }).notNull(),
    path: text().notNull(),
    blobId: bigint('blob_id', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.manifestId, table.path] }),
    index('manifest_entries_by_blob').on(table.blobId),
  ],
)
