/** API keys: only the SHA-256 of a token is stored. A revoked key's row is gone, and so are those of a removed member. */
import { bigint, foreignKey, index, pgTable, text } from 'drizzle-orm/pg-core'
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
  },
  (table) => [
    index('api_keys_by_team').on(table.teamId, table.createdMs, table.id),
    // For what a member sees, and for the removal of a member.
    index('api_keys_by_member').on(table.teamId, table.userId, table.role, table.createdMs, table.id),
    // Also a key that is made at the moment of the removal can't come to life again when the member comes back.
    foreignKey({
      columns: [table.teamId, table.userId],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
  ],
)
