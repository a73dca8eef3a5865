/** Host names of the platform: labels below the sites' domain. */
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deployments, projects } from './projects.ts'
import { teams } from './teams.ts'

/**
 * A label below the sites' domain. It points at one deployment, which for a branch's label, or a pull
 * request's, is its newest, or (with none) at its project's production.
 * Rows of deleted projects and deployments stay, without either, so that no other team gets the label: a
 * project's production label forever, a deployment's as long as `platform/projects/free-labels.ts` says.
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
    /** The branch whose newest deployment it points at; null for others' labels. */
    branch: text(),
    /** The pull request of a fork whose newest deployment it points at; null for others' labels. */
    pullRequest: integer('pull_request'),
    /** Since when its deployment has been deleted. */
    freedMs: bigint('freed_ms', { mode: 'number' }),
  },
  (table) => [
    index('hosts_by_project').on(table.projectId),
    index('hosts_by_deployment').on(table.deploymentId),
    uniqueIndex('hosts_by_branch')
      .on(table.projectId, table.branch)
      .where(sql`${table.branch} is not null`)
      .concurrently(),
    uniqueIndex('hosts_by_pull_request')
      .on(table.projectId, table.pullRequest)
      .where(sql`${table.pullRequest} is not null`)
      .concurrently(),
    index('hosts_freed').on(table.freedMs).where(sql`${table.freedMs} is not null`),
  ],
)
