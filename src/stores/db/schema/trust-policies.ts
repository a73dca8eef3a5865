/** Trust policies: which identity tokens of CI systems may deploy to a project. */
import { bigint, boolean, foreignKey, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'
import { members } from './teams.ts'

/**
 * Rows end with the project and with the membership of who made them, also where an earlier version deletes
 * those.
 */
export const trustPolicies = pgTable(
  'trust_policies',
  {
    id: text().primaryKey(),
    teamId: text('team_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The address of who issues the tokens, as in their claim `iss`. */
    issuer: text().notNull(),
    /** The claims that a token must have, with exactly these values. */
    claims: jsonb().$type<Record<string, string>>().notNull(),
    targets: jsonb().$type<('preview' | 'production')[]>().notNull(),
    /** Whether deployments name the branch of the token's ref, or none. */
    bindBranch: boolean('bind_branch').notNull().default(false),
    createdBy: text('created_by').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    /** When a token was last exchanged; 0 until then. */
    lastUsedMs: bigint('last_used_ms', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('trust_policies_by_project').on(table.projectId, table.createdMs, table.id),
    index('trust_policies_by_member').on(table.teamId, table.createdBy),
    foreignKey({
      name: 'trust_policies_member_fk',
      columns: [table.teamId, table.createdBy],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
  ],
)
