/** Users, teams, and memberships with their roles. */
import { bigint, boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** Addresses here were proven; what an account only claims is in `claimed_addresses`. */
export const users = pgTable('users', {
  id: text().primaryKey(),
  email: text().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  name: text().notNull(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  /** How many teams the user has created since then, also those that were deleted. */
  teamsMade: integer('teams_made').notNull().default(0),
  teamsMadeSinceMs: bigint('teams_made_since_ms', { mode: 'number' }).notNull().default(0),
  /** How many links of invitations the user has made since then. */
  linksMade: integer('links_made').notNull().default(0),
  linksMadeSinceMs: bigint('links_made_since_ms', { mode: 'number' }).notNull().default(0),
  /** Rises when visits to protected sites end with sessions; see auth/people/end-person-visits.ts. */
  visitVersion: integer('visit_version').notNull().default(0),
})

/**
 * A deleted team's row stays, with its id as the slug and without members: its labels are never given to
 * another team, and its files are collected later. Queries by membership don't find it.
 */
export const teams = pgTable('teams', {
  id: text().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  personal: boolean().notNull(),
  plan: text({ enum: ['free', 'pro', 'enterprise'] })
    .notNull()
    .default('free'),
  /** Whether sessions act in it only with a second factor, or of people who signed in at the provider. */
  secondFactorRequired: boolean('second_factor_required').notNull().default(false),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  updatedMs: bigint('updated_ms', { mode: 'number' }).notNull().default(0),
  deletedMs: bigint('deleted_ms', { mode: 'number' }),
  /** When one of its builds last began, for the order of turns. */
  buildBegunMs: bigint('build_begun_ms', { mode: 'number' }).notNull().default(0),
  /** Rises when somebody may see fewer of its sites than before; see auth/teams/access-version.ts. */
  accessVersion: integer('access_version').notNull().default(0),
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
    /** Whether a member sees only some projects: those in `member_projects`. Owners see all. */
    limited: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('members_by_user').on(table.userId),
  ],
)
