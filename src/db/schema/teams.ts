/** Who exists: people, teams, and which person is in which team with which role. */
import { bigint, boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

export const users = pgTable('users', {
  id: text().primaryKey(),
  email: text().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  name: text().notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
})

/**
 * A deleted team's row stays, with its id for a slug and without members: labels that it had are never given to another
 * team, and its files are collected afterwards. Whoever comes to a team by its members doesn't meet it.
 */
export const teams = pgTable('teams', {
  id: text().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  personal: boolean().notNull(),
  plan: text({ enum: ['free', 'pro', 'enterprise'] })
    .notNull()
    .default('free'),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  updatedMs: bigint('updated_ms', { mode: 'number' }).notNull().default(0),
  deletedMs: bigint('deleted_ms', { mode: 'number' }),
  /** When one of its builds began last, which says whose turn it is. */
  buildBegunMs: bigint('build_begun_ms', { mode: 'number' }).notNull().default(0),
})

export const members = pgTable(
  'members',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    role: text({ enum: ['owner', 'member'] }).notNull(),
    joinedMs: bigint('joined_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('members_by_user').on(table.userId),
  ],
)
