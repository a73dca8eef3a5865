/** Brings a database to this program's schema. */
import { fileURLToPath } from 'node:url'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import { migrate as applyToPglite } from 'drizzle-orm/pglite/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyToPostgres } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** Any number does, as long as every node uses the same. */
const advisoryLock = 7_368_203

/** Applies what is missing on PostgreSQL, on a connection of its own that holds an advisory lock meanwhile. */
export async function migratePostgres(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(${advisoryLock})`
    await applyToPostgres(drizzle(sql), { migrationsFolder })
  } finally {
    // Ending the session gives the lock back, also when a migration failed.
    await sql.end({ timeout: 5 })
  }
}

/** Applies what is missing on the embedded database. */
export async function migratePglite(db: PgliteDatabase): Promise<void> {
  await applyToPglite(db, { migrationsFolder })
}
