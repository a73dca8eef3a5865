/** The projects that limited keys see. */
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { apiKeys } from './keys.ts'
import { projects } from './projects.ts'

/** Rows end with the key and with the project, also where an earlier version deletes those. */
export const keyProjects = pgTable(
  'key_projects',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.projectId] }),
    index('key_projects_by_project').on(table.projectId),
  ],
)
