/** The storage used and reserved by teams. */
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * The bytes of a team's blobs with their compressed variants. Updated in the transactions that add or remove
 * some; a team without a row is counted on demand (see blobs/used-bytes.ts).
 */
export const storage = pgTable('storage', {
  teamId: text('team_id')
    .primaryKey()
    .references(() => teams.id, { onDelete: 'cascade' }),
  usedBytes: bigint('used_bytes', { mode: 'number' }).notNull(),
})

/** Space reserved for uploads until they are recorded; expires at `expiresMs` if their node died. */
export const storageReservations = pgTable(
  'storage_reservations',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    bytes: bigint({ mode: 'number' }).notNull(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('storage_reservations_by_team').on(table.teamId)],
)
