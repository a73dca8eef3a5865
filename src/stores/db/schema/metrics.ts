/** Traffic of the sites of projects and teams. */
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * The responses in `spanMs` from `startMs` on: a minute as one writer counted it, an hour or a day as the sum
 * of all (`writer` 0). A scope is a project, or a team with all of its projects. `latencies` is a histogram
 * (see observability/metrics/latencies.ts). Only its writer writes a row, each time with its complete count,
 * so writes can be repeated.
 *
 * `errors` are the responses of 500 and above. The counts of other statuses are null in rows of versions that
 * didn't count them.
 */
export const traffic = pgTable(
  'traffic',
  {
    scopeId: text('scope_id').notNull(),
    spanMs: integer('span_ms').notNull(),
    startMs: bigint('start_ms', { mode: 'number' }).notNull(),
    writer: bigint({ mode: 'number' }).notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    errors: bigint({ mode: 'number' }).notNull(),
    latencies: text().notNull(),
    responses2xx: bigint('responses_2xx', { mode: 'number' }),
    responses3xx: bigint('responses_3xx', { mode: 'number' }),
    responses4xx: bigint('responses_4xx', { mode: 'number' }),
    responses404: bigint('responses_404', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.scopeId, table.spanMs, table.startMs, table.writer] }),
    index('traffic_by_age').on(table.spanMs, table.startMs),
  ],
)

/** Hours and days whose sum is outdated. */
export const trafficDue = pgTable(
  'traffic_due',
  {
    spanMs: integer('span_ms').notNull(),
    startMs: bigint('start_ms', { mode: 'number' }).notNull(),
    scopeId: text('scope_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.spanMs, table.startMs, table.scopeId] })],
)

/** Deleted projects and teams, until their traffic is deleted. */
export const trafficGone = pgTable('traffic_gone', {
  scopeId: text('scope_id').primaryKey(),
  goneMs: bigint('gone_ms', { mode: 'number' }).notNull(),
})
