/** Host names that the platform gives out: labels below the sites' domain. */
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { deployments, projects } from './projects.ts'
import { teams } from './teams.ts'

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
  (table) => [
    index('hosts_by_project').on(table.projectId),
    index('hosts_by_deployment').on(table.deploymentId),
  ],
)
