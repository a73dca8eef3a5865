/**
 * API keys: only the SHA-256 of a token is stored. Revoked keys, and those of removed members, are deleted;
 * those whose time is over stay in the list.
 */
import { bigint, boolean, foreignKey, index, pgTable, text } from 'drizzle-orm/pg-core'
import { members, teams, users } from './teams.ts'

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    prefix: text().notNull(),
    tokenSha256: text('token_sha256').notNull().unique(),
    role: text({ enum: ['owner', 'member'] }).notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    lastUsedMs: bigint('last_used_ms', { mode: 'number' }).notNull().default(0),
    readOnly: boolean('read_only').notNull().default(false),
    /** Whether it sees only the projects of `key_projects`. */
    limited: boolean().notNull().default(false),
    /** When it ends by itself. */
    expiresMs: bigint('expires_ms', { mode: 'number' }),
  },
  (table) => [
    index('api_keys_by_team').on(table.teamId, table.createdMs, table.id),
    // For the list of a member, and for the removal of a member.
    index('api_keys_by_member').on(table.teamId, table.userId, table.role, table.createdMs, table.id),
    // A key created during the removal can't become valid again when the member returns.
    foreignKey({
      columns: [table.teamId, table.userId],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
  ],
)
