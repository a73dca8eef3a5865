/** Opens the database: PostgreSQL or the embedded PGlite behind one type. */
import { PGlite } from '@electric-sql/pglite'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { isConnectionLost } from './failures.ts'
import { migratePglite, migratePostgres } from './migrate.ts'

/** The interface of queries: the database, or a transaction in it. */
export type Database = PgDatabase<PgQueryResultHKT>

export type OpenDatabase = {
  db: Database
  /**
   * The same database for prepared lookups of a row or two, outside of transactions. On PostgreSQL they share one connection,
   * so that concurrent ones are pipelined, which makes a lookup a third cheaper.
   */
  lookUps: Database
  engine: 'postgres' | 'pglite'
  /** Calls `hear` with each payload of a NOTIFY on `channel`, and `reconnected` whenever some may have been lost. */
  listen(channel: string, hear: (payload: string) => void, reconnected: () => void): Promise<void>
  /** Migrates the schema; safe when several nodes start at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** How long one statement, and one wait for a lock, may take before the request gets a 503. */
const statementTimeoutMs = 10_000
const lockTimeoutMs = 5_000

/** With several, postgres.js (3.4.9) searches for a free one in a queue that grows with every query while it is busy. */
const lookUpConnections = 1

/** The pause before reconnecting; by default postgres.js backs off to 20 seconds. */
const reconnectSeconds = 0.5

/**
 * Padding that makes the first message of a connection so long that postgres.js writes it at once. A short one would wait
 * for a timer that an earlier loss may have left stopped, and the connection would never open again.
 */
const flushing = ' '.repeat(1_024)

/** Connects to PostgreSQL; connections are opened on demand and after a loss. */
export function openPostgres(url: string, maxConnections = 10): OpenDatabase {
  const sql = connect(url, maxConnections)
  const lookUpSql = connect(url, lookUpConnections)
  leaveLostTransactions(sql)
  return {
    db: drizzlePostgres(sql),
    lookUps: drizzlePostgres(lookUpSql),
    engine: 'postgres',
    async listen(channel, hear, reconnected) {
      await sql.listen(channel, hear, reconnected)
    },
    migrate: () => migratePostgres(url),
    async close() {
      await Promise.all([sql, lookUpSql].map((each) => each.end({ timeout: 5 })))
    },
  }
}

function connect(url: string, maxConnections: number): postgres.Sql {
  return postgres(url, {
    max: maxConnections,
    connect_timeout: 5,
    idle_timeout: 60,
    backoff: () => reconnectSeconds,
    onnotice: () => {},
    // No column is an array; and a failure of this extra query on a lost connection couldn't be caught.
    fetch_types: false,
    connection: {
      application_name: 'svc',
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      options: flushing,
    },
  })
}

/**
 * postgres.js also rolls back when the connection is lost, and that write throws where nobody can catch it (3.4.9, its issue
 * 1208). So work that failed with its connection never settles: `begin` is rejected by the loss itself.
 */
function leaveLostTransactions(sql: postgres.Sql): void {
  const begin = sql.begin.bind(sql)
  type Work = (tx: postgres.TransactionSql) => Promise<unknown>
  const beginSafely = (work: Work) =>
    begin((tx) =>
      work(tx).catch((error: unknown) => {
        if (isConnectionLost(error)) return new Promise<never>(() => {})
        throw error
      }),
    )
  Object.assign(sql, { begin: beginSafely })
}

/** Opens the embedded database in `directory` (in memory without one). Hold the data directory's lock. */
export async function openPglite(directory?: string): Promise<OpenDatabase> {
  const client = await PGlite.create(directory === undefined ? {} : { dataDir: directory })
  const db = drizzlePglite(client)
  return {
    db,
    lookUps: db,
    engine: 'pglite',
    async listen(channel, hear) {
      await client.listen(channel, hear)
    },
    migrate: () => migratePglite(db),
    close: () => client.close(),
  }
}
