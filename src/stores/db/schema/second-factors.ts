/** Second factors beside a password: the secret of an app, and recovery codes for all kinds. */
import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './teams.ts'

/** In use once a code of the app has confirmed it, or while there are passkeys. */
export const secondFactors = pgTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** The app's; null for people who have passkeys alone. */
  secretSealed: text('secret_sealed'),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  /** When a code of the app confirmed it. */
  confirmedMs: bigint('confirmed_ms', { mode: 'number' }),
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  /** SHA-256 of the recovery codes that are left. */
  recoverySha256: text('recovery_sha256').array().notNull().default(sql`'{}'::text[]`),
  /** Wrong codes and refused passkeys in a row, and when the last one was. */
  wrong: integer().notNull().default(0),
  wrongMs: bigint('wrong_ms', { mode: 'number' }).notNull().default(0),
})
