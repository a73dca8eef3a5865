/** Deploy hooks: secret addresses, each of which has one project deployed again. */
import { bigint, foreignKey, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'
import { members } from './teams.ts'

/**
 * Only the hash of the secret is kept. Rows end with the project and with the membership of who made them,
 * also where an earlier version deletes those.
 */
export const deployHooks = pgTable(
  'deploy_hooks',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Null for what is live. */
    branch: text(),
    secretSha256: text('secret_sha256').notNull().unique(),
    createdBy: text('created_by').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    /** When it made its latest deployments, at most ten, the oldest first. */
    usesMs: jsonb('uses_ms').$type<number[]>().notNull().default([]),
    /** The last of them, which may be deleted. */
    lastDeploymentId: text('last_deployment_id'),
  },
  (table) => [
    index('deploy_hooks_by_project').on(table.projectId, table.createdMs, table.id),
    index('deploy_hooks_by_member').on(table.teamId, table.createdBy),
    foreignKey({
      name: 'deploy_hooks_member_fk',
      columns: [table.teamId, table.createdBy],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
  ],
)
