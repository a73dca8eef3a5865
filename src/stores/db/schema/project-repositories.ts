/** Repositories at forges that projects are deployed from, and what the forges sent. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { deployments, projects } from './projects.ts'

/** Gitea stands for Forgejo, too. */
export const forges = ['github', 'gitlab', 'gitea'] as const

export type Forge = (typeof forges)[number]

/** At most one a project. Token and secret are AES-256-GCM, bound to the project and the address. */
export const projectRepositories = pgTable(
  'project_repositories',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    provider: text({ enum: forges }).notNull(),
    /** https, without `.git` and a slash at its end. */
    url: text().notNull(),
    /** The forge's number of it, which stays when it is renamed; null until an event said it. */
    repositoryId: text('repository_id'),
    /** Addresses that it had before the forge moved it, the latest first. */
    formerUrls: jsonb('former_urls').$type<string[]>().notNull().default([]),
    /** The directory that is deployed; null for all of the repository. */
    rootDirectory: text('root_directory'),
    /** The paths that have pushes deployed like that directory. */
    watch: jsonb().$type<string[]>().notNull().default([]),
    /** Whether pushes that change nothing in that directory are passed over. */
    skipUnchanged: boolean('skip_unchanged').notNull(),
    /** After how many days deployments of closed pull requests are deleted; null: never for that. */
    closeDays: integer('close_days'),
    /** Whether pull requests of forks are deployed, each head commit once an owner has approved it. */
    takesForks: boolean('takes_forks').notNull().default(false),
    /** As the forge last said; null until it does. */
    defaultBranch: text('default_branch'),
    tokenSealed: text('token_sealed'),
    secretSealed: text('secret_sealed'),
    /** Who last saved it: its deployments are in that name, also once that person has left. */
    connectedBy: text('connected_by').notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('project_repositories_by_connector').on(table.connectedBy).concurrently()],
)

/**
 * The deliveries of forges to the hooks of projects. While `pending` one is due at `dueMs`; one that is
 * `waiting` is so for an owner's approval.
 */
export const forgeDeliveries = pgTable(
  'forge_deliveries',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The forge's own id of it, by which a repeat is known. */
    forgeId: text('forge_id').notNull(),
    event: text().notNull(),
    status: text({ enum: ['waiting', 'pending', 'done', 'failed'] }).notNull(),
    /** The work to do, with what it needs of the event; null where there is none. */
    work: jsonb().$type<unknown>(),
    /** Null for what a fork's is about: no branch of the repository waits for that. */
    branch: text(),
    commit: text(),
    pullRequest: integer('pull_request'),
    /** The owner who approved the commit of a fork, and is who it is deployed as. */
    approvedBy: text('approved_by'),
    /** The outcome of the delivery, in a sentence. */
    outcome: text(),
    deploymentId: text('deployment_id'),
    attempts: integer().notNull().default(0),
    /** The attempts that ended with their worker. */
    lost: integer().notNull().default(0),
    dueMs: bigint('due_ms', { mode: 'number' }).notNull(),
    /** The worker that has it, until its lease ends. */
    worker: text(),
    leaseMs: bigint('lease_ms', { mode: 'number' }).notNull().default(0),
    receivedMs: bigint('received_ms', { mode: 'number' }).notNull(),
    endedMs: bigint('ended_ms', { mode: 'number' }),
  },
  (table) => [
    unique('forge_deliveries_once').on(table.projectId, table.forgeId),
    index('forge_deliveries_by_project').on(table.projectId, table.receivedMs, table.id),
    // Those of a branch one after another.
    index('forge_deliveries_pending')
      .on(table.projectId, table.branch, table.receivedMs, table.id)
      .where(sql`status = 'pending'`),
    index('forge_deliveries_due').on(table.dueMs).where(sql`status = 'pending'`),
  ],
)

/**
 * How much was refused of that which came to a project's hook, by why, since the last that was right. The
 * counts are written in batches.
 */
export const forgeRefusals = pgTable(
  'forge_refusals',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projectRepositories.projectId, { onDelete: 'cascade' }),
    kind: text({
      enum: [
        'no_secret',
        'unsigned',
        'secret',
        'clock',
        'malformed',
        'repository',
        'project_limit',
        'address_limit',
      ],
    }).notNull(),
    count: bigint({ mode: 'number' }).notNull(),
    sinceMs: bigint('since_ms', { mode: 'number' }).notNull(),
    lastMs: bigint('last_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind] })],
)

/**
 * The reports to forges on deployments of their commits: a status, and a comment of the pull request. While
 * `open` one follows the deployment's state; `reported` is the last state that the forge has.
 */
export const forgeReports = pgTable(
  'forge_reports',
  {
    deploymentId: text('deployment_id')
      .primaryKey()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    commit: text().notNull(),
    pullRequest: integer('pull_request'),
    open: boolean().notNull().default(true),
    reported: text(),
    /** Why the forge doesn't know yet, or never will; null where it does. */
    problem: text(),
    attempts: integer().notNull().default(0),
    dueMs: bigint('due_ms', { mode: 'number' }).notNull(),
    worker: text(),
    leaseMs: bigint('lease_ms', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('forge_reports_open').on(table.projectId, table.dueMs).where(sql`open`),
    index('forge_reports_by_pull_request').on(table.projectId, table.pullRequest, table.deploymentId),
  ],
)

/**
 * Pull requests that were closed and not reopened since: until the deployments that were made for them before
 * are deleted at `dueMs`.
 */
export const closedPullRequests = pgTable(
  'closed_pull_requests',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projectRepositories.projectId, { onDelete: 'cascade' }),
    number: integer().notNull(),
    /** The branch of the repository; null for one of a fork. */
    branch: text(),
    closedMs: bigint('closed_ms', { mode: 'number' }).notNull(),
    /** By the repository's `closeDays`; null where deployments stay. */
    dueMs: bigint('due_ms', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.number] }),
    index('closed_pull_requests_by_branch').on(table.projectId, table.branch),
    index('closed_pull_requests_due').on(table.dueMs).where(sql`due_ms is not null`),
  ],
)
