/** Pending and declined invitations to teams. */
import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
    /** The ids of the projects that the member will be limited to; null without a limit. */
    projects: jsonb().$type<string[]>(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index('invitations_by_email').on(table.email),
  ],
)

/** Until when further invitations by this team are hidden. */
export const declinedInvitations = pgTable(
  'declined_invitations',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    email: text().notNull(),
    untilMs: bigint('until_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index('declined_invitations_by_email').on(table.email, table.untilMs),
  ],
)
