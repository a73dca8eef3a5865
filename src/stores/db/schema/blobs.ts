/** Content-addressed bytes: a row for each digest of a team, with the compressed variants. */
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * `object` names the stored bytes and is unique forever, so removing an old object can't affect a newer
 * upload of the same digest. `collectAfterMs` is set while the blob seems unreferenced. `encodeAfterMs` is
 * set while compression is pending: the time from which a worker may claim it. A variant that isn't
 * worthwhile stays null.
 */
export const blobs = pgTable(
  'blobs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    sha256: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    object: text().notNull().unique(),
    collectAfterMs: bigint('collect_after_ms', { mode: 'number' }),
    encodeAfterMs: bigint('encode_after_ms', { mode: 'number' }),
    encodeAttempts: integer('encode_attempts').notNull().default(0),
    brObject: text('br_object'),
    brSize: bigint('br_size', { mode: 'number' }),
    gzipObject: text('gzip_object'),
    gzipSize: bigint('gzip_size', { mode: 'number' }),
  },
  (table) => [
    uniqueIndex('blobs_by_digest').on(table.teamId, table.sha256),
    index('blobs_to_collect').on(table.collectAfterMs).where(sql`${table.collectAfterMs} is not null`),
    index('blobs_to_encode').on(table.encodeAfterMs).where(sql`${table.encodeAfterMs} is not null`),
    uniqueIndex('blobs_by_br_object').on(table.brObject).where(sql`${table.brObject} is not null`),
    uniqueIndex('blobs_by_gzip_object').on(table.gzipObject).where(sql`${table.gzipObject} is not null`),
  ],
)
