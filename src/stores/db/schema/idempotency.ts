/** Calls with an Idempotency-Key: claimed while they run, then kept with their response. */
import { bigint, index, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * `answer` is null while the call runs, and `claim` identifies the run that may store it. `untilMs` is the
 * end of that run's lease, then of the response's retention. Without foreign keys: rows expire by themselves,
 * and don't block the deletion of a team.
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
