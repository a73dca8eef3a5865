/** Sessions of signed-in users: only the SHA-256 of a token is stored. Ended sessions are deleted. */
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './teams.ts'

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    tokenSha256: text('token_sha256').notNull().unique(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** How its person proved to be it; a passkey alone is both factors. */
    provenBy: text('proven_by', { enum: ['password', 'second_factor', 'passkey', 'provider'] })
      .notNull()
      .default('password'),
  },
  (table) => [index('sessions_by_user').on(table.userId), index('sessions_by_expiry').on(table.expiresMs)],
)
