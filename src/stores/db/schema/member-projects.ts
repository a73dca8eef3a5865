/** The projects that limited members see. */
import { foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'
import { members } from './teams.ts'

/** Rows end with the membership and with the project, also where an earlier version deletes those. */
export const memberProjects = pgTable(
  'member_projects',
  {
    teamId: text('team_id').notNull(),
    userId: text('user_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId, table.projectId] }),
    foreignKey({
      name: 'member_projects_member_fk',
      columns: [table.teamId, table.userId],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
    index('member_projects_by_project').on(table.projectId),
  ],
)
