/** Projects, their encrypted environment, and the host names that are rows of their own. */
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
import { deployments } from './deployments.ts'
import { teams } from './teams.ts'

/** How a project is built, as stored; commands are null where there are none. */
export type BuildSettings = {
  install_command: string | null
  build_command: string | null
  output_directory: string
  root_directory: string
}

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
    autoPromote: boolean('auto_promote').notNull(),
    previewTtlDays: integer('preview_ttl_days'),
    spa: boolean().notNull(),
    productionDeploymentId: text('production_deployment_id').references((): AnyPgColumn => deployments.id),
    promotedByHandMs: bigint('promoted_by_hand_ms', { mode: 'number' }).notNull().default(0),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    uniqueIndex('projects_by_name').on(table.teamId, table.name),
    index('projects_by_production_deployment').on(table.productionDeploymentId),
    index('projects_with_preview_ttl').on(table.id).where(sql`${table.previewTtlDays} is not null`),
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
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.key, table.target] })],
)

/**
 * A label below the sites' domain. It points at one deployment, or (with none) at its project's production. The row of
 * a deleted project's production label stays, without a project, so that no other team is ever given it.
 */
export const hosts = pgTable(
  'hosts',
  {
    label: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    projectId: text('project_id').references(() => projects.id),
    deploymentId: text('deployment_id').references(() => deployments.id),
  },
  (table) => [index('hosts_by_project').on(table.projectId), index('hosts_by_deployment').on(table.deploymentId)],
)
