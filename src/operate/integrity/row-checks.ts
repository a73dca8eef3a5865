/** Conditions between rows that no foreign key enforces. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { unreferencedGraceMs } from '../../stores/blobs/rows.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { manifestEntries, manifests } from '../../stores/db/schema/manifests.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { records } from '../../stores/db/schema/records.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { deliveries, webhooks } from '../../stores/db/schema/webhooks.ts'

export type RowCheck = {
  kind: string
  table: string
  /**
   * Holds for a row with the problem. Other tables are read in subqueries, so that each look-up uses its
   * index.
   */
  problem: SQL
  /** Names the row. */
  subject: SQL<string>
  message: (subject: string) => string
  /** Mends the rows for which the problem holds. */
  mend?: { set: (nowMs: number) => SQL } | 'delete'
}

/** Whether a scalar subquery finds nothing. */
const none = (from: SQL) => sql`(select true from ${from} limit 1) is null`

const id = (table: PgTable) => sql<string>`${table}.id`

const rowOf = (table: PgTable, of: SQL) => sql`${table} where ${table}.id = ${of}`

/** The rows of a table that belong to another team than the row that they refer to. */
function ofAnotherTeam(
  table: PgTable,
  parent: PgTable,
  reference: SQL,
  subject: SQL<string> = id(table),
): RowCheck {
  const [name, parentName] = [getTableName(table), getTableName(parent)]
  const teamAbove = sql`select ${parent}.team_id from ${rowOf(parent, reference)}`
  return {
    kind: 'another_team',
    table: name,
    // Old deliveries have an empty team.
    problem: sql`${table}.team_id <> '' and (${teamAbove}) <> ${table}.team_id`,
    subject,
    message: (subject) => `${subject} (${name}) belongs to another team than its row in ${parentName}.`,
  }
}

const entry = sql<string>`coalesce(
  (select ${deployments}.id from ${deployments}
    where ${deployments}.manifest_id = ${manifestEntries}.manifest_id limit 1),
  (select ${deployments}.id from ${deployments}
    where ${deployments}.server_manifest_id = ${manifestEntries}.manifest_id limit 1),
  'manifest ' || ${manifestEntries}.manifest_id) || ' ' || ${manifestEntries}.path`

/** The entries of the manifest that the column of a deployment refers to. */
const entriesOf = (column: SQL) =>
  sql`${manifestEntries} where ${manifestEntries}.manifest_id = ${deployments}.${column}`

const manifestOfEntry = rowOf(manifests, sql`${manifestEntries}.manifest_id`)
const blobOfEntry = rowOf(blobs, sql`${manifestEntries}.blob_id`)

export const rowChecks: RowCheck[] = [
  {
    kind: 'file_without_manifest',
    table: 'manifest_entries',
    problem: none(manifestOfEntry),
    subject: entry,
    message: (subject) => `${subject} is of a manifest that does not exist.`,
    mend: 'delete',
  },
  {
    kind: 'file_without_blob',
    table: 'manifest_entries',
    problem: none(blobOfEntry),
    subject: entry,
    message: (subject) => `${subject} has no stored file: deploy it again.`,
  },
  {
    kind: 'another_team',
    table: 'manifest_entries',
    problem: sql`(select team_id from ${manifestOfEntry}) <> (select team_id from ${blobOfEntry})`,
    subject: entry,
    message: (subject) => `${subject} is a file of another team: delete the deployment.`,
  },
  {
    kind: 'blob_misnamed',
    table: 'blobs',
    problem: sql`not starts_with(${blobs}.object, ${blobs}.team_id || '/' || ${blobs}.sha256 || '-')`,
    subject: sql<string>`${blobs}.object`,
    message: (subject) => `${subject} is recorded for another team or digest than its name says.`,
  },
  {
    kind: 'blob_never_collected',
    table: 'blobs',
    problem: sql`${blobs}.collect_after_ms is null
      and ${none(sql`${manifestEntries} where ${manifestEntries}.blob_id = ${blobs}.id`)}`,
    subject: sql<string>`${blobs}.object`,
    message: (subject) => `${subject} is referenced by no deployment, and would never be removed.`,
    mend: { set: (nowMs) => sql`collect_after_ms = ${nowMs + unreferencedGraceMs}` },
  },
  {
    kind: 'manifest_never_collected',
    table: 'manifests',
    problem: sql`${manifests}.released_ms is null
      and ${none(sql`${deployments} where ${deployments}.manifest_id = ${manifests}.id`)}
      and ${none(sql`${deployments} where ${deployments}.source_manifest_id = ${manifests}.id`)}
      and ${none(sql`${deployments} where ${deployments}.server_manifest_id = ${manifests}.id`)}`,
    subject: sql<string>`${manifests}.id::text`,
    message: (subject) => `Manifest ${subject} is of no deployment, and its files would never be removed.`,
    mend: { set: (nowMs) => sql`released_ms = ${nowMs}` },
  },
  {
    kind: 'deployment_without_files',
    table: 'deployments',
    problem: sql`
      (${deployments}.state = 'ready' and (${deployments}.manifest_id is null or (${deployments}.files > 0
        and ${deployments}.server_manifest_id is null and ${none(entriesOf(sql`manifest_id`))})))
      or (${deployments}.state in ('queued', 'building') and ${deployments}.source_manifest_id is null)
      or (${deployments}.state in ('ready', 'queued', 'building') and (
        select true from ${manifests} where ${manifests}.released_ms is not null and ${manifests}.id =
          coalesce(${deployments}.manifest_id, ${deployments}.source_manifest_id)) is not null)`,
    subject: id(deployments),
    message: (subject) => `Deployment ${subject} has no files: delete it, and deploy again.`,
  },
  {
    kind: 'deployment_without_files',
    table: 'deployments',
    // No foreign key is there for these.
    problem: sql`${deployments}.state = 'ready' and (
      (${deployments}.server is null) <> (${deployments}.server_manifest_id is null)
      or (${deployments}.server_manifest_id is not null and (${none(
        sql`${rowOf(manifests, sql`${deployments}.server_manifest_id`)} and ${manifests}.released_ms is null`,
      )} or ${none(entriesOf(sql`server_manifest_id`))})))`,
    subject: id(deployments),
    message: (subject) => `Deployment ${subject} has no files for its server: deploy it again.`,
  },
  {
    kind: 'live_not_ready',
    table: 'projects',
    problem: sql`${projects}.production_deployment_id is not null and ${none(
      sql`${rowOf(deployments, sql`${projects}.production_deployment_id`)}
        and ${deployments}.project_id = ${projects}.id and ${deployments}.state = 'ready'`,
    )}`,
    subject: id(projects),
    message: (subject) =>
      `The live deployment of project ${subject} is not a ready one of it: promote another.`,
  },
  {
    kind: 'project_without_host',
    table: 'projects',
    problem: none(sql`${hosts} where ${hosts}.label = ${projects}.production_host
      and ${hosts}.project_id = ${projects}.id and ${hosts}.deployment_id is null`),
    subject: id(projects),
    message: (subject) => `The host name of project ${subject} does not lead to it.`,
  },
  {
    kind: 'deployment_without_host',
    table: 'deployments',
    problem: none(sql`${hosts} where ${hosts}.label = ${deployments}.host
      and ${hosts}.deployment_id = ${deployments}.id and ${hosts}.project_id = ${deployments}.project_id`),
    subject: id(deployments),
    message: (subject) => `The host name of deployment ${subject} does not lead to it.`,
  },
  {
    kind: 'host_without_owner',
    table: 'hosts',
    // Labels of what was deleted have neither; their team keeps them.
    problem: sql`(${hosts}.project_id is null and ${hosts}.deployment_id is not null)
      or (${hosts}.freed_ms is not null and ${hosts}.project_id is not null)
      or (${hosts}.deployment_id is null and ${hosts}.project_id is not null and ${none(
        sql`${rowOf(projects, sql`${hosts}.project_id`)} and ${projects}.production_host = ${hosts}.label`,
      )})`,
    subject: sql<string>`${hosts}.label`,
    message: (subject) =>
      `The label ${subject} leads to nothing that has it, or will be freed while it is in use.`,
  },
  {
    kind: 'team_without_owner',
    table: 'teams',
    problem: sql`${teams}.deleted_ms is null and ${none(
      sql`${members} where ${members}.team_id = ${teams}.id and ${members}.role = 'owner'`,
    )}`,
    subject: id(teams),
    message: (subject) => `Team ${subject} has no owner.`,
  },
  ofAnotherTeam(deployments, projects, sql`${deployments}.project_id`),
  ofAnotherTeam(deployments, manifests, sql`${deployments}.manifest_id`),
  ofAnotherTeam(deployments, manifests, sql`${deployments}.server_manifest_id`),
  ofAnotherTeam(hosts, projects, sql`${hosts}.project_id`, sql<string>`${hosts}.label`),
  ofAnotherTeam(domains, projects, sql`${domains}.project_id`),
  ofAnotherTeam(records, domains, sql`${records}.domain_id`),
  ofAnotherTeam(deliveries, webhooks, sql`${deliveries}.webhook_id`),
]
