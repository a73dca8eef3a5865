/** How users sign in (a password, an identity at a provider), and the links to set a password. */
import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './teams.ts'

/** A password's `accountId` is its user's id; a provider's is the provider's id of the user. */
export const accounts = pgTable(
  'accounts',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    providerId: text('provider_id').notNull(),
    accountId: text('account_id').notNull(),
    passwordHash: text('password_hash'),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('accounts_by_identity').on(table.providerId, table.accountId),
    index('accounts_by_user').on(table.userId),
  ],
)

/** A link is for an address, or for a user without one; only the latest for each is kept. */
export const personLinks = pgTable(
  'person_links',
  {
    tokenSha256: text('token_sha256').primaryKey(),
    email: text().unique(),
    userId: text('user_id')
      .unique()
      .references(() => users.id),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('person_links_by_expiry').on(table.expiresMs)],
)

/**
 * The address that each unproven account claims, which an invitation's link has made: others may have
 * claimed or proven it, too. Null once somebody else has proven it.
 */
export const claimedAddresses = pgTable(
  'claimed_addresses',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    email: text(),
  },
  (table) => [index('claimed_addresses_by_email').on(table.email)],
)
