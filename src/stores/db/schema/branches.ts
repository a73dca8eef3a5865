/** The branches of projects that were pushed. */
import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'

export const branches = pgTable(
  'branches',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    /** The commit that is deployed, a SHA-1 in hex; null until a first deployment is ready. */
    commit: text(),
    /** The deployment of the newest push, whatever became of it. */
    newestDeploymentId: text('newest_deployment_id').notNull(),
    newestMs: bigint('newest_ms', { mode: 'number' }).notNull(),
    /**
     * The pull request that first deployed it, as long as no push of the branch itself did; 0 once that is
     * closed, until another one takes its place. Null for what was pushed.
     */
    pullRequest: integer('pull_request'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
)
