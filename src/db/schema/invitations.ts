/** Who is to become a member of a team once they sign in with that address. */
import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/** `email` is in lower case. */
export const invitations = pgTable(
  'invitations',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    email: text().notNull(),
    role: text({ enum: ['owner', 'member'] }).notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index('invitations_by_email').on(table.email),
  ],
)
