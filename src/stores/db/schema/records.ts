/** DNS records: those of teams, and managed ones. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, pgView, primaryKey, text } from 'drizzle-orm/pg-core'
import { recordTypes } from '../../../lib/names/record-types.ts'
import { domains } from './domains.ts'
import { above } from './parent-name.ts'
import { teams } from './teams.ts'

const columns = {
  id: text().notNull(),
  teamId: text('team_id').notNull(),
  /** The claim that it belongs to; they are deleted together. */
  domainId: text('domain_id').notNull(),
  fqdn: text().notNull(),
  /** The labels in reverse order, `com.example.www`. */
  reversed: text().notNull(),
  type: text({ enum: recordTypes }).notNull(),
  /** In canonical form. */
  value: text().notNull(),
  /** The strings of a TXT, unless those are of 255 bytes each. */
  strings: text().array(),
  priority: integer(),
  weight: integer(),
  port: integer(),
  /** Seconds. */
  ttl: integer().notNull(),
  comment: text(),
  createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
}

export const records = pgTable(
  'records',
  {
    ...columns,
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
  },
  (table) => [
    index('records_by_domain').on(table.domainId, table.createdMs, table.id),
    index('records_by_domain_type').on(table.domainId, table.type, table.createdMs, table.id),
    index('records_by_name').on(table.teamId, table.fqdn, table.type),
    // For PowerDNS, which queries by name, including empty non-terminals.
    index('records_by_fqdn').on(table.fqdn),
    index('records_one_up').on(above(table.fqdn, 1)),
    index('records_two_up').on(above(table.fqdn, 2)),
    index('records_three_up').on(above(table.fqdn, 3)),
    index('records_below').on(table.teamId, table.reversed.op('text_pattern_ops')),
  ],
)

/**
 * The targets of domains, written by each starting node from its settings, for records generated in the
 * database.
 */
export const edgeTargets = pgTable(
  'edge_targets',
  { type: text({ enum: ['A', 'AAAA', 'ALIAS'] }).notNull(), value: text().notNull() },
  (table) => [primaryKey({ columns: [table.type, table.value] })],
)

/** The names of the name servers, the primary first; written like `edge_targets`. */
export const nameservers = pgTable('nameservers', {
  position: integer().primaryKey(),
  name: text().notNull(),
})

const targetId = sql`'rec_' || md5(domains.id || ' ' || target.type || ' ' || target.value)`

/**
 * The served records of each team: its own, the proof of each proven domain, and the records of the edge for
 * each verified domain with a site or a redirect, unless the team has an address of its own there. Strings
 * that don't make up the value are of an earlier one, which a node of the version before has replaced.
 */
export const zoneRecords = pgView('zone_records', { ...columns, managed: boolean().notNull() }).as(sql`
  select id, team_id, domain_id, fqdn, reversed, type, value, priority, weight, port, ttl, comment,
    created_ms, updated_ms, false as managed,
    case when array_to_string(strings, '') = value then strings end as strings
  from records
  union all
  select 'rec_' || md5(id || ' TXT'), team_id, id, '_svc.' || domain, reversed || '._svc', 'TXT', proof,
    null, null, null, 300, null, proven_ms, proven_ms, true, null
  from domains where proven_ms is not null
  union all
  select ${targetId}, team_id, id, domain, reversed,
    target.type, target.value, null, null, null, 300, null, verified_ms, updated_ms, true, null
  from domains cross join edge_targets as target
  where verified_ms is not null and (project_id is not null or redirect_to is not null)
    and not exists (
      select from records where records.team_id = domains.team_id and records.fqdn = domains.domain
        and records.type in ('A', 'AAAA', 'ALIAS', 'CNAME'))`)
