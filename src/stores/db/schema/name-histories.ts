/** The files that were served under names with a hash, by project. */
import { pgTable, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'

/**
 * `seen` and `changed` are those of `NameHistory` (see platform/sites/hashed-names/name-history.ts). A
 * row goes with its project, also when a node of an earlier version deletes that.
 */
export const nameHistories = pgTable('name_histories', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  seen: text().notNull(),
  changed: text().notNull(),
})
