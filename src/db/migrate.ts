/** Migrates a database to this program's schema. */
import { fileURLToPath } from 'node:url'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import { migrate as applyToPglite } from 'drizzle-orm/pglite/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyToPostgres } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** Arbitrary, but the same on every node. */
const advisoryLock = 7_368_203

/** Applies missing migrations on PostgreSQL, on a separate connection that holds an advisory lock meanwhile. */
export async function migratePostgres(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(${advisoryLock})`
    await applyToPostgres(drizzle(sql), { migrationsFolder })
  } finally {
    // Ending the session releases the lock, also after a failed migration.
    await sql.end({ timeout: 5 })
  }
}

/** Applies missing migrations on the embedded database. */
export async function migratePglite(db: PgliteDatabase): Promise<void> {
  await applyToPglite(db, { migrationsFolder })
}
