/** How much traffic the sites of projects and teams had. */
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * The answers that ended in `spanMs` from `startMs` on: a minute as one writer counted it, an hour or a day as the sum of
 * all of them (`writer` 0). A scope is a project, or a team with all of its projects. `latencies` is a histogram (see
 * observability/metrics/latencies.ts). A writer alone writes its row, each time with all that it has counted, so a write
 * may be repeated.
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
  },
  (table) => [
    primaryKey({ columns: [table.scopeId, table.spanMs, table.startMs, table.writer] }),
    index('traffic_by_age').on(table.spanMs, table.startMs),
  ],
)

/** The hours and days whose sum isn't up to date: something in them was counted, or summed up, since. */
export const trafficDue = pgTable(
  'traffic_due',
  {
    spanMs: integer('span_ms').notNull(),
    startMs: bigint('start_ms', { mode: 'number' }).notNull(),
    scopeId: text('scope_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.spanMs, table.startMs, table.scopeId] })],
)

/** Projects and teams that are gone, until nothing of their traffic is left. */
export const trafficGone = pgTable('traffic_gone', {
  scopeId: text('scope_id').primaryKey(),
  goneMs: bigint('gone_ms', { mode: 'number' }).notNull(),
})
