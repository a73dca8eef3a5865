/** Host names that the platform gives out: labels below the sites' domain. */
import { sql } from 'drizzle-orm'
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { deployments, projects } from './projects.ts'
import { teams } from './teams.ts'

/**
 * A label below the sites' domain. It points at one deployment, or (with none) at its project's production. The row of
 * what is gone stays, without a project and a deployment, so that no other team is given the label: that of a project's
 * production for ever, that of a deployment as long as `projects/free-labels.ts` says.
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
    /** Since when its deployment has been gone. */
    freedMs: bigint('freed_ms', { mode: 'number' }),
  },
  (table) => [
    index('hosts_by_project').on(table.projectId),
    index('hosts_by_deployment').on(table.deploymentId),
    index('hosts_freed').on(table.freedMs).where(sql`${table.freedMs} is not null`),
  ],
)
