/** Names that teams claim, and who has proven to own them. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { above } from './parent-name.ts'
import { projects } from './projects.ts'
import { teams } from './teams.ts'

/**
 * One row a registrable domain (`example.co.uk`), locked by whoever changes a claim or a record at or below it, and kept
 * when the last of them is gone. `serial` is the serial of every zone of the family (RFC 1035, section 3.3.13), and only
 * rises. `changedMs` is of the database's own clock, for nodes that ask what they have missed.
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

/** A DNS answer as a client sees it: what should be there, or what was seen there. */
export type ShownRecord = { type: string; name: string; value: string }

/**
 * A team's claim of a name. `provenMs` is set as long as the team's own TXT record counts (`proofLostMs`: since when it
 * has not been there), `verifiedMs` where this team owns the longest proven name at or above: at most one team for a name.
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
    /** The labels from the right, `com.example.www`: what lies below a name is a range. */
    reversed: text().notNull(),
    registrable: text()
      .notNull()
      .references(() => registrableDomains.name),
    projectId: text('project_id').references(() => projects.id),
    redirectTo: text('redirect_to'),
    redirectStatus: integer('redirect_status'),
    /** The value that the TXT record must have. */
    proof: text().notNull(),
    provenMs: bigint('proven_ms', { mode: 'number' }),
    proofLostMs: bigint('proof_lost_ms', { mode: 'number' }),
    verifiedMs: bigint('verified_ms', { mode: 'number' }),
    configured: boolean().notNull().default(false),
    seen: jsonb().$type<ShownRecord[]>().notNull().default([]),
    errorReason: text('error_reason'),
    errorMessage: text('error_message'),
    /** How many checks there were since something last changed: the wait for the next one follows from it. */
    checks: integer().notNull().default(0),
    checkedMs: bigint('checked_ms', { mode: 'number' }),
    nextCheckMs: bigint('next_check_ms', { mode: 'number' }).notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
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
    // For the name server: the claims in a family of the teams that have proven something there.
    index('domains_in_family').on(table.registrable, table.teamId),
    // For PowerDNS, which asks for names: of the proof, and of what only has names below it.
    index('domains_by_proof_name')
      .on(sql`('_svc.' || ${table.domain})`)
      .where(sql`${table.provenMs} is not null`),
    index('domains_one_up').on(above(table.domain, 1)).where(sql`${table.verifiedMs} is not null`),
    index('domains_two_up').on(above(table.domain, 2)).where(sql`${table.verifiedMs} is not null`),
    index('domains_due').on(table.nextCheckMs),
  ],
)
