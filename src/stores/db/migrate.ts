/** Migrates a database to this program's schema, on one node at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Logger } from '../../lib/log/logger.ts'
import { applyMigrations } from './apply-migrations.ts'
import type { Database } from './database.ts'
import { type Migration, readMigrations } from './migrations.ts'

type Log = Pick<Logger, 'info' | 'warn'>

/**
 * The advisory lock that a migration holds: arbitrary, but the same on every node, also of earlier versions.
 */
export const migrationLock = 7_368_203

const lockPollMs = 250

/**
 * Applies missing migrations on PostgreSQL, on a separate connection that holds an advisory lock meanwhile.
 * @throws as `applyMigrations` does.
 */
export async function migratePostgres(url: string, log: Log, migrations = readMigrations()): Promise<void> {
  const connection = { application_name: 'svc' }
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, connection })
  try {
    await takeLock(sql, log)
    await applyMigrations({ db: drizzle(sql), log }, migrations)
  } finally {
    // Ending the session releases the lock, also after a failed migration.
    await sql.end({ timeout: 5 })
  }
}

/** A session that waits within a statement would be waited for by an index that is built concurrently. */
async function takeLock(sql: postgres.Sql, log: Log): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [row] = await sql`select pg_try_advisory_lock(${migrationLock}) as taken`
    if (row?.taken) return
    if (isFirst) log.info('Another node migrates the database: this one waits.')
    await sleep(lockPollMs)
  }
}

/** Applies missing migrations on the embedded database. */
export function migratePglite(
  db: Database,
  log: Log,
  migrations: Migration[] = readMigrations(),
): Promise<void> {
  return applyMigrations({ db, log }, migrations)
}
