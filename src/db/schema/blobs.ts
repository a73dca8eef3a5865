/** Content-addressed bytes: a row for each digest that a team has. */
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * `object` names the stored bytes and is never used twice, so removing an old object can't touch a newer upload of the
 * same digest. `collectAfterMs` is set while nothing is known to refer to the blob.
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
  },
  (table) => [
    uniqueIndex('blobs_by_digest').on(table.teamId, table.sha256),
    index('blobs_to_collect').on(table.collectAfterMs).where(sql`${table.collectAfterMs} is not null`),
  ],
)
