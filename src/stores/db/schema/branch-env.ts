/** Variables of builds of one branch. */
import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'

/** The value of a variable in previews of one branch, in place of the project's, and sealed as that is. */
export const branchEnv = pgTable(
  'branch_env',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    branch: text().notNull(),
    key: text().notNull(),
    sealed: text().notNull(),
    updatedMs: bigint('updated_ms', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.branch, table.key] })],
)
