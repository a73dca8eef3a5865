/** Projects with their encrypted environment, and their deployments, which reference each other. */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { manifests } from './manifests.ts'
import { nameParts } from './name-parts.ts'
import { teams } from './teams.ts'

/** The stored build settings; commands are null if there are none. */
export type BuildSettings = {
  install_command: string | null
  build_command: string | null
  output_directory: string
  root_directory: string
}

/** The build settings of a deployment; `start` is the command of its server, if a setting says one. */
export type DeploymentBuild = BuildSettings & { start?: string | null | undefined }

/** Build settings that a request gave by itself; null goes back to the default. */
export type GivenBuild = { [Key in keyof DeploymentBuild]?: DeploymentBuild[Key] | null | undefined }

/**
 * How the server of a project runs. `health_path` is requested to see whether it is well; null for none.
 * Without a request for `idle_s` seconds it is stopped, except for `min` processes in production.
 */
export type RuntimeSettings = {
  memory_bytes: number
  health_path: string | null
  idle_s: number
  min: number
  network: 'none' | 'web' | 'tcp'
  ports: number[] | null
  release: string | null
}

/**
 * The server of a deployment, as its build left it: `command` runs in `directory`, relative to its kept
 * files, with Node.js of version `node`, on machines of `platform` (`linux-x64-glibc`). `caches` are
 * directories, relative to its kept files, that it writes to; `env` has variables of its framework, which
 * those of the project override.
 */
export type DeploymentServer = {
  command: string
  directory: string
  node: string
  platform: string
  caches?: string[]
  env?: Record<string, string>
}

/** By what a deployment was made. */
export const sourceKinds = [
  'api',
  'command',
  'dashboard',
  'git',
  'forge',
  'hook',
  'redeploy',
  'oidc',
] as const

/** Something that a deployment passed over, or that looks wrong in it. */
type DeploymentWarning = { path?: string | undefined; line?: number | undefined; message: string }

export const settlers = ['owner', 'forge', 'push'] as const

export const projects = pgTable(
  'projects',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    name: text().notNull(),
    productionHost: text('production_host').notNull(),
    build: jsonb().$type<BuildSettings>().notNull(),
    protection: text({ enum: ['none', 'preview', 'all'] }).notNull(),
    bypassSha256: text('bypass_sha256'),
    bypassVersion: integer('bypass_version').notNull().default(0),
    /** Salted scrypt of the password that opens its protected sites. */
    passwordHash: text('password_hash'),
    /** Rises when its password changes, or a share link is revoked. */
    accessVersion: integer('access_version').notNull().default(0),
    autoPromote: boolean('auto_promote').notNull(),
    previewTtlDays: integer('preview_ttl_days'),
    /** Until then none of its previews expires. */
    previewsDueMs: bigint('previews_due_ms', { mode: 'number' }).notNull().default(0),
    spa: boolean().notNull(),
    hsts: boolean().notNull().default(false),
    branchAddresses: boolean('branch_addresses').notNull().default(true),
    note: text(),
    /** The command that starts its server; null where each deployment finds out by itself. */
    start: text(),
    /** The settings of its server that aren't the initial ones. */
    runtime: jsonb().$type<Partial<RuntimeSettings>>().notNull().default({}),
    /** Processes of its server that were started before then are to be started anew. */
    restartedMs: bigint('restarted_ms', { mode: 'number' }).notNull().default(0),
    productionDeploymentId: text('production_deployment_id').references((): AnyPgColumn => deployments.id),
    promotedByHandMs: bigint('promoted_by_hand_ms', { mode: 'number' }).notNull().default(0),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
    /** Which branch goes to production; null until a first one is pushed, and once that is deleted. */
    productionBranch: text('production_branch'),
    /**
     * Who settled it: what an owner set stays, what the forge says or a first push was follows the forge.
     * Null before, and for what versions without it settled; not once the branch is deleted.
     */
    productionBranchBy: text('production_branch_by', { enum: settlers }),
    /** When its newest deployment was created; without one, when the project was. */
    activeMs: bigint('active_ms', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    uniqueIndex('projects_by_name').on(table.teamId, table.name),
    index('projects_by_activity').on(table.teamId, table.activeMs, table.id).concurrently(),
    // Without the pending list, which every search would have to scan.
    index('projects_by_part_of_name').using('gin', nameParts(table)).with({ fastupdate: false }),
    index('projects_by_production_deployment').on(table.productionDeploymentId),
    // Only what isn't as at first is stored.
    index('projects_with_kept_servers')
      .on(table.teamId, table.id)
      .where(sql`${table.runtime} ->> 'min' is not null`)
      .concurrently(),
    index('projects_previews_due').on(table.previewsDueMs).where(sql`${table.previewTtlDays} is not null`),
  ],
)

/** One value of one variable for one target; `sealed` is AES-256-GCM (see projects/env.ts). */
export const projectEnv = pgTable(
  'project_env',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    key: text().notNull(),
    target: text({ enum: ['production', 'preview'] }).notNull(),
    sealed: text().notNull(),
    /** Equal for equal values of a variable; see platform/projects/env.ts. */
    fingerprint: text(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.key, table.target] })],
)

export const deployments = pgTable(
  'deployments',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    host: text().notNull(),
    target: text({ enum: ['production', 'preview'] }).notNull(),
    state: text({ enum: ['queued', 'building', 'ready', 'error', 'canceled'] }).notNull(),
    errorReason: text('error_reason'),
    errorMessage: text('error_message'),
    /** The lines of its log that say why; null where none does. */
    errorExcerpt: jsonb('error_excerpt').$type<string[]>(),
    build: jsonb().$type<DeploymentBuild>().notNull(),
    /** The settings that its request gave; null in rows from before they were kept. */
    buildGiven: jsonb('build_given').$type<GivenBuild>(),
    meta: jsonb().$type<Record<string, string>>().notNull(),
    sourceKind: text('source_kind', { enum: sourceKinds }).notNull().default('api'),
    sourceName: text('source_name'),
    /** The deployment whose sources it is made of. */
    redeployOf: text('redeploy_of'),
    /** Whether its sources are those of somebody outside the team. */
    untrusted: boolean().notNull().default(false),
    /** Whether its branch was pushed at the commit for which a pull request has had it made. */
    pushedToo: boolean('pushed_too').notNull().default(false),
    /** Whether unknown paths get index.html, as its own sources say; null where the project decides. */
    spa: boolean(),
    warnings: jsonb().$type<DeploymentWarning[]>().notNull().default([]),
    manifestId: bigint('manifest_id', { mode: 'number' }).references(() => manifests.id),
    /** The sources of a build. */
    sourceManifestId: bigint('source_manifest_id', { mode: 'number' }).references(() => manifests.id),
    /** Null for a deployment of files alone. */
    server: jsonb().$type<DeploymentServer>(),
    /** The files of its server. Without a foreign key, since adding one would hold up all writes. */
    serverManifestId: bigint('server_manifest_id', { mode: 'number' }),
    /** How often a worker has started the build. */
    attempts: integer().notNull().default(0),
    /** The worker that builds it, and the end of its lease. */
    worker: text(),
    leaseUntilMs: bigint('lease_until_ms', { mode: 'number' }),
    /** When its release command was begun, once and for all, and when it ended as it should. */
    releaseBegunMs: bigint('release_begun_ms', { mode: 'number' }),
    releaseEndedMs: bigint('release_ended_ms', { mode: 'number' }),
    /** While the command may be running, the end of the lease of who runs it; null afterwards. */
    releaseLeaseUntilMs: bigint('release_lease_until_ms', { mode: 'number' }),
    files: integer().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    createdBy: text('created_by').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    buildingMs: bigint('building_ms', { mode: 'number' }),
    readyMs: bigint('ready_ms', { mode: 'number' }),
    endedMs: bigint('ended_ms', { mode: 'number' }),
    liveSinceMs: bigint('live_since_ms', { mode: 'number' }),
  },
  (table) => [
    // For the list, which reads each target and state in order, for the team or a project, of all branches or
    // of one: so filters never make it read more. A row is written only a few times.
    index('deployments_by_team').on(table.teamId, table.createdMs, table.id),
    index('deployments_by_project').on(table.projectId, table.createdMs, table.id),
    index('deployments_of_team').on(table.teamId, table.target, table.state, table.createdMs, table.id),
    index('deployments_of_project').on(table.projectId, table.target, table.state, table.createdMs, table.id),
    index('deployments_of_team_branch').on(
      table.teamId,
      sql`(${table.meta} ->> 'branch')`,
      table.target,
      table.state,
      table.createdMs,
      table.id,
    ),
    index('deployments_of_project_branch').on(
      table.projectId,
      sql`(${table.meta} ->> 'branch')`,
      table.target,
      table.state,
      table.createdMs,
      table.id,
    ),
    // Of forks.
    index('deployments_by_pull_request')
      .on(table.projectId, sql`(${table.meta} ->> 'pull_request')`)
      .where(sql`${table.untrusted}`)
      .concurrently(),
    index('deployments_by_manifest').on(table.manifestId),
    index('deployments_by_source')
      .on(table.sourceManifestId)
      .where(sql`${table.sourceManifestId} is not null`),
    index('deployments_by_server')
      .on(table.serverManifestId)
      .where(sql`${table.serverManifestId} is not null`)
      .concurrently(),
    index('deployments_queued')
      .on(table.teamId, table.createdMs, table.id)
      .where(sql`${table.state} = 'queued'`),
    index('deployments_building').on(table.leaseUntilMs).where(sql`${table.state} = 'building'`),
    // No two of a project run at the same time.
    uniqueIndex('deployments_releasing')
      .on(table.projectId)
      .where(sql`${table.releaseLeaseUntilMs} is not null`)
      .concurrently(),
    index('deployments_unfinished_by_maker')
      .on(table.createdBy)
      .where(sql`${table.state} in ('queued', 'building')`)
      .concurrently(),
  ],
)
