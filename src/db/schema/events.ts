/** The event log: what happened in each team, only ever added to. */
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * `actorId` is the user who did it, with `keyId` where that was with a key; both null where the service did it by itself.
 * Projects, deployments and actors may be gone by now: the log refers to them without holding them.
 */
export const events = pgTable(
  'events',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    type: text().notNull(),
    projectId: text('project_id'),
    deploymentId: text('deployment_id'),
    actorId: text('actor_id'),
    keyId: text('key_id'),
    address: text(),
    requestId: text('request_id'),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('events_by_team').on(table.teamId, table.createdMs, table.id),
    index('events_by_project').on(table.projectId, table.createdMs, table.id),
    index('events_by_deployment').on(table.deploymentId, table.createdMs, table.id),
    index('events_by_age').on(table.createdMs),
  ],
)
