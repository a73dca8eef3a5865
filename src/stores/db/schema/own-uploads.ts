/** The blobs that limited members and keys have uploaded themselves. */
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * That a sender had the bytes of a digest of the team, until then: the team may have them of a project that
 * the sender doesn't see. Without foreign keys, since rows expire within hours.
 */
export const ownUploads = pgTable(
  'own_uploads',
  {
    teamId: text('team_id').notNull(),
    /** The id of a limited member, or of a limited key. */
    senderId: text('user_id').notNull(),
    sha256: text().notNull(),
    untilMs: bigint('until_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.senderId, table.sha256] }),
    index('own_uploads_by_end').on(table.untilMs),
  ],
)
