/** Calls that a client gave a key to, so that it may repeat them: claimed while they run, then kept with their answer. */
import { bigint, index, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * `answer` is null while the call runs, and `claim` names the run that may answer. `untilMs` is the end of that run's
 * lease, then the time until which the answer is kept. Without foreign keys: a row ends by itself, and holds up no
 * deletion of a team.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    teamId: text('team_id').notNull(),
    userId: text('user_id').notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    claim: text().notNull(),
    inputSha256: text('input_sha256').notNull(),
    answer: json(),
    untilMs: bigint('until_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId, table.operation, table.key] }),
    index('idempotency_keys_by_end').on(table.untilMs),
  ],
)
