/** Certificates of names, and what ordering them needs. */
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { domains } from './domains.ts'
import { teams } from './teams.ts'

/**
 * At most one certificate from the authority (`source` is `acme`) and one of the team's own (`own`) for a
 * name, which wins. A platform's name has no domain and no team; `*.example.com` is for `example.com`, too.
 * `chain` is null until there is one. `dueMs` is when it has to be ordered or renewed, and the lease of
 * whoever does that.
 */
export const certificates = pgTable(
  'certificates',
  {
    name: text().notNull(),
    source: text().notNull(),
    domainId: text('domain_id').references(() => domains.id, { onDelete: 'cascade' }),
    teamId: text('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    /** PEM: the certificate, then its issuers. */
    chain: text(),
    keySealed: text('key_sealed'),
    notBeforeMs: bigint('not_before_ms', { mode: 'number' }),
    notAfterMs: bigint('not_after_ms', { mode: 'number' }),
    dueMs: bigint('due_ms', { mode: 'number' }),
    /** Identifies the lease; null without one. */
    lease: text(),
    /** Failed orders since the last certificate. */
    attempts: integer().notNull().default(0),
    errorReason: text('error_reason'),
    errorMessage: text('error_message'),
    /** The order under way, and the key that its certificate will have: another node can go on with both. */
    orderUrl: text('order_url'),
    orderKeySealed: text('order_key_sealed'),
    orderedMs: bigint('ordered_ms', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.source] }),
    index('certificates_due').on(table.dueMs),
    index('certificates_ordered').on(table.orderedMs),
    index('certificates_of_domain').on(table.domainId),
    index('certificates_of_team').on(table.teamId),
  ],
)

/** The account at each authority, by the URL of its directory; `url` is null until it exists there. */
export const acmeAccounts = pgTable('acme_accounts', {
  directory: text().primaryKey(),
  keySealed: text('key_sealed').notNull(),
  url: text(),
  /** The authority's name in CAA records; null until its directory was read. */
  caaIdentities: text('caa_identities').array(),
  /** Until then the authority wants no order of a name without a certificate, and none of a renewal. */
  pausedUntilMs: bigint('paused_until_ms', { mode: 'number' }),
  renewalsPausedUntilMs: bigint('renewals_paused_until_ms', { mode: 'number' }),
})

/**
 * The orders of the last hours, whatever has become of their names, domains and teams since: limits count
 * what happened, so nothing here refers to what a team can delete.
 */
export const certificateOrders = pgTable(
  'certificate_orders',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderedMs: bigint('ordered_ms', { mode: 'number' }).notNull(),
    name: text().notNull(),
    /** The name's registrable domain. */
    registrable: text().notNull(),
    /** Null for a name of the platform. */
    teamId: text('team_id'),
  },
  (table) => [index('certificate_orders_by_time').on(table.orderedMs)],
)

/** The challenges of orders under way, which every node shows to the authority. */
export const acmeChallenges = pgTable(
  'acme_challenges',
  {
    /** Without the `*.` of a wildcard. */
    name: text().notNull(),
    type: text().notNull(),
    token: text().notNull(),
    keyAuthorization: text('key_authorization').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.type, table.token] }),
    index('acme_challenges_by_age').on(table.createdMs),
  ],
)

/**
 * The keys of all nodes for the session tickets of sites: the newest encrypts, the one before it decrypts.
 */
export const ticketKeys = pgTable('ticket_keys', {
  createdMs: bigint('created_ms', { mode: 'number' }).primaryKey(),
  keySealed: text('key_sealed').notNull(),
})
