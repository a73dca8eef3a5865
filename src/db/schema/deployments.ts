/** Deployments and their manifests: which path of a site is which blob. */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { blobs } from './blobs.ts'
import { type BuildSettings, projects } from './projects.ts'
import { teams } from './teams.ts'

/** A set of files. `releasedMs` is set when its deployment is gone; its entries are then removed in batches. */
export const manifests = pgTable(
  'manifests',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    releasedMs: bigint('released_ms', { mode: 'number' }),
  },
  (table) => [index('manifests_released').on(table.releasedMs).where(sql`${table.releasedMs} is not null`)],
)

export const manifestEntries = pgTable(
  'manifest_entries',
  {
    manifestId: bigint('manifest_id', { mode: 'number' })
      .notNull()
      .references(() => manifests.id),
    path: text().notNull(),
    blobId: bigint('blob_id', { mode: 'number' })
      .notNull()
      .references(() => blobs.id),
  },
  (table) => [
    primaryKey({ columns: [table.manifestId, table.path] }),
    index('manifest_entries_by_blob').on(table.blobId),
  ],
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
      .references((): AnyPgColumn => projects.id),
    host: text().notNull(),
    target: text({ enum: ['production', 'preview'] }).notNull(),
    state: text({ enum: ['queued', 'building', 'ready', 'error', 'canceled'] }).notNull(),
    errorReason: text('error_reason'),
    errorMessage: text('error_message'),
    build: jsonb().$type<BuildSettings>().notNull(),
    meta: jsonb().$type<Record<string, string>>().notNull(),
    manifestId: bigint('manifest_id', { mode: 'number' }).references(() => manifests.id),
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
    index('deployments_by_team').on(table.teamId, table.createdMs, table.id),
    index('deployments_by_project').on(table.projectId, table.createdMs, table.id),
    index('deployments_by_state').on(table.teamId, table.state, table.createdMs, table.id),
    index('deployments_by_target').on(table.projectId, table.target, table.createdMs, table.id),
    index('deployments_by_branch').on(
      table.teamId,
      sql`(${table.meta} ->> 'branch')`,
      table.createdMs,
      table.id,
    ),
    index('deployments_by_manifest').on(table.manifestId),
  ],
)
