/** How much teams have stored, and how much of it is on its way. */
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * The bytes of a team's blobs with their compressed forms. Kept up to date by whatever adds or removes some, in the same
 * transaction; a team without a row is counted when somebody asks (see blobs/used-bytes.ts).
 */
export const storage = pgTable('storage', {
  teamId: text('team_id')
    .primaryKey()
    .references(() => teams.id, { onDelete: 'cascade' }),
  usedBytes: bigint('used_bytes', { mode: 'number' }).notNull(),
})

/** Room that is kept for bytes until they are recorded; over at `expiresMs` where whoever kept it died. */
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
