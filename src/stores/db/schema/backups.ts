/** Backups that are made by schedule. */
import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * The schedule of each place. `holder` and `leaseEndsMs` are of the node that makes a backup there now;
 * `failedMs` and `failure` of the last one, if that failed.
 */
export const backupSchedules = pgTable('backup_schedules', {
  location: text().primaryKey(),
  sinceMs: bigint('since_ms', { mode: 'number' }).notNull(),
  holder: text(),
  leaseEndsMs: bigint('lease_ends_ms', { mode: 'number' }),
  failedMs: bigint('failed_ms', { mode: 'number' }),
  failure: text(),
})

/** The whole backups that were made so, and are there: no others are removed. */
export const scheduledBackups = pgTable(
  'scheduled_backups',
  {
    location: text().notNull(),
    name: text().notNull(),
    startedMs: bigint('started_ms', { mode: 'number' }).notNull(),
    finishedMs: bigint('finished_ms', { mode: 'number' }).notNull(),
    /** Those of its dump, and of the files of sites that it refers to. */
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.location, table.name] })],
)
