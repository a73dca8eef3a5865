/** The alerts that the operator has notices of, so that all nodes together send each once. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/** The alert as it was when there was last something to say of it. */
export type NotedAlert = { figure: number | null; unit: string | null; message: string }

/**
 * One row for each alert and place. `machine` is the node that an alert is of, by its machine and data
 * directory, and empty for one of the installation. `isOn`, `begunMs` and `saidMs` are what was said of it.
 * `change` is what is to be sent now: `begins`, `lasts` or `ends`, null if nothing; `dueMs` is when, and the
 * lease of whoever sends it. `seenMs` is when a node last saw it, give or take a minute.
 */
export const operatorAlerts = pgTable(
  'operator_alerts',
  {
    machine: text().notNull(),
    name: text().notNull(),
    place: text().notNull(),
    alert: jsonb().$type<NotedAlert>().notNull(),
    isOn: boolean('is_on').notNull(),
    begunMs: bigint('begun_ms', { mode: 'number' }).notNull(),
    saidMs: bigint('said_ms', { mode: 'number' }).notNull(),
    seenMs: bigint('seen_ms', { mode: 'number' }).notNull(),
    change: text(),
    dueMs: bigint('due_ms', { mode: 'number' }),
    /** Attempts to send the change. */
    attempts: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.machine, table.name, table.place] }),
    index('operator_alerts_due').on(table.dueMs).where(sql`${table.change} is not null`),
    index('operator_alerts_seen').on(table.seenMs),
  ],
)
