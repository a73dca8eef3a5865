/** The append-only event log of each team. */
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { teams } from './teams.ts'

/**
 * `actorId` is the user who did it, with `keyId` if that was with a key; both null for the service itself.
 * Without foreign keys, since projects, deployments and actors may be deleted.
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
