/** Log lines: build output, requests to sites, what came by git, and output of servers. */
import { bigint, bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

export const logLines = pgTable(
  'log_lines',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    kind: text({ enum: ['build', 'request', 'git', 'runtime'] }).notNull(),
    level: text({ enum: ['debug', 'info', 'warn', 'error'] }).notNull(),
    projectId: text('project_id'),
    deploymentId: text('deployment_id'),
    message: text().notNull(),
    fields: jsonb().$type<Record<string, unknown>>().notNull(),
    timeMs: bigint('time_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    // Each includes kind and level: a list reads each kind and level as a separate stream.
    index('log_lines_by_team').on(table.teamId, table.kind, table.level, table.timeMs, table.id),
    index('log_lines_by_project').on(table.projectId, table.kind, table.level, table.timeMs, table.id),
    index('log_lines_by_deployment').on(table.deploymentId, table.kind, table.level, table.timeMs, table.id),
    index('log_lines_by_age').on(table.kind, table.timeMs),
  ],
)
