/** Passkeys of people (WebAuthn), and the challenges that were answered with one. */
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { secondFactors } from './second-factors.ts'

/** Whoever has one has recovery codes, too: they go together. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => secondFactors.userId, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The authenticator's name of it, in base64url, of one person only. */
    credentialId: text('credential_id').notNull().unique(),
    /** A COSE_Key (RFC 9052, section 7) in base64url. */
    publicKey: text('public_key').notNull(),
    /** The authenticator's count of signatures; stays 0 where it has none. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** How browsers reach the authenticator. */
    transports: text().array().notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    usedMs: bigint('used_ms', { mode: 'number' }),
  },
  (table) => [index('passkeys_by_user').on(table.userId, table.createdMs)],
)

/** Challenges that were answered, until they would have expired: none is answered twice. */
export const spentChallenges = pgTable(
  'spent_challenges',
  {
    challengeSha256: text('challenge_sha256').primaryKey(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('spent_challenges_by_expiry').on(table.expiresMs)],
)
