/** Pending and declined invitations to teams. */
import { bigint, foreignKey, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { members, teams } from './teams.ts'

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

/** One for an invitation, with which it ends: the latest. It ends with the membership of who made it, too. */
export const invitationLinks = pgTable(
  'invitation_links',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    email: text().notNull(),
    tokenSha256: text('token_sha256').notNull().unique(),
    createdBy: text('created_by').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('invitation_links_by_invitation').on(table.teamId, table.email),
    index('invitation_links_by_maker').on(table.teamId, table.createdBy),
    index('invitation_links_by_expiry').on(table.expiresMs),
    foreignKey({
      columns: [table.teamId, table.email],
      foreignColumns: [invitations.teamId, invitations.email],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.teamId, table.createdBy],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
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
