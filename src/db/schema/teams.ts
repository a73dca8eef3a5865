/** Who exists: people, teams, and which person is in which team with which role. */
import { bigint, boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

export const users = pgTable('users', {
  id: text().primaryKey(),
  email: text().unique(),
  name: text().notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
})

export const teams = pgTable('teams', {
  id: text().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  personal: boolean().notNull(),
  plan: text({ enum: ['free', 'pro', 'enterprise'] })
    .notNull()
    .default('free'),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
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
