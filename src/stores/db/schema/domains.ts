/** Claimed names, and their verified owners. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { above } from './parent-name.ts'
import { projects } from './projects.ts'
import { teams } from './teams.ts'

/**
 * One row per registrable domain (`example.co.uk`), locked by changes of claims or records at or below it,
 * and kept when the last of them is gone. `serial` is the serial of every zone of the family (RFC 1035,
 * section 3.3.13), and only rises. `changedMs` is of the database's clock, for nodes that poll for missed
 * changes.
 */
export const registrableDomains = pgTable(
  'registrable_domains',
  {
    name: text().primaryKey(),
    serial: bigint({ mode: 'number' }).notNull(),
    changedMs: bigint('changed_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('registrable_domains_changed').on(table.changedMs)],
)

/** A DNS record in responses: expected, or found. */
export type RecordValue = { type: string; name: string; value: string }

/**
 * A team's claim of a name. `provenMs` is set while the team's own TXT record counts (`proofLostMs`: since
 * when it has been missing), `verifiedMs` if this team owns the longest proven name at or above: at most one
 * team per name.
 */
export const domains = pgTable(
  'domains',
  {
    id: text().primaryKey(),
    /** Its zone's id for PowerDNS, which knows only numbers. */
    number: integer().notNull().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    domain: text().notNull(),
    /** The labels in reverse order, `com.example.www`: the names below a name are a range. */
    reversed: text().notNull(),
    registrable: text()
      .notNull()
      .references(() => registrableDomains.name),
    projectId: text('project_id').references(() => projects.id),
    redirectTo: text('redirect_to'),
    redirectStatus: integer('redirect_status'),
    /** The value of the TXT record. */
    proof: text().notNull(),
    provenMs: bigint('proven_ms', { mode: 'number' }),
    proofLostMs: bigint('proof_lost_ms', { mode: 'number' }),
    verifiedMs: bigint('verified_ms', { mode: 'number' }),
    configured: boolean().notNull().default(false),
    seen: jsonb().$type<RecordValue[]>().notNull().default([]),
    errorReason: text('error_reason'),
    errorMessage: text('error_message'),
    /** The number of checks since the last change, which determines the next interval. */
    checks: integer().notNull().default(0),
    checkedMs: bigint('checked_ms', { mode: 'number' }),
    nextCheckMs: bigint('next_check_ms', { mode: 'number' }).notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
    /** Whether a row of `certificates` has been made. */
    certificateWanted: boolean('certificate_wanted').notNull().default(false),
  },
  (table) => [
    index('domains_without_certificate')
      .on(table.verifiedMs)
      .where(sql`${table.verifiedMs} is not null and ${table.configured} and not ${table.certificateWanted}`)
      .concurrently(),
    uniqueIndex('domains_by_name').on(table.teamId, table.domain),
    uniqueIndex('domains_verified').on(table.domain).where(sql`${table.verifiedMs} is not null`),
    uniqueIndex('domains_proven')
      .on(table.registrable, table.domain)
      .where(sql`${table.provenMs} is not null`),
    // For the list's filters: the rarer of the two states is found without reading the other.
    index('domains_of_team_verified')
      .on(table.teamId, table.domain)
      .where(sql`${table.verifiedMs} is not null`),
    index('domains_of_team_unverified')
      .on(table.teamId, table.domain)
      .where(sql`${table.verifiedMs} is null`),
    index('domains_by_project').on(table.projectId, table.domain),
    index('domains_of_project_verified')
      .on(table.projectId, table.domain)
      .where(sql`${table.verifiedMs} is not null`),
    index('domains_of_project_unverified')
      .on(table.projectId, table.domain)
      .where(sql`${table.verifiedMs} is null`),
    index('domains_below').on(table.registrable, table.reversed.op('text_pattern_ops')),
    // For the name server: the claims of teams with something proven in a family.
    index('domains_in_family').on(table.registrable, table.teamId),
    // For PowerDNS, which queries by name: for proofs and empty non-terminals.
    index('domains_by_proof_name')
      .on(sql`('_svc.' || ${table.domain})`)
      .where(sql`${table.provenMs} is not null`),
    index('domains_one_up').on(above(table.domain, 1)).where(sql`${table.verifiedMs} is not null`),
    index('domains_two_up').on(above(table.domain, 2)).where(sql`${table.verifiedMs} is not null`),
    index('domains_due').on(table.nextCheckMs),
  ],
)
