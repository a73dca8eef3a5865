/** Opens the database: PostgreSQL or the embedded PGlite behind one type. */
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from './database.ts'
import { leaveLostTransactions, leaveOutLostRows } from './lost-connections.ts'
import { migratePglite, migratePostgres } from './migrate.ts'
import { probePostgres } from './probe.ts'
import { watchRequests } from './watch-requests.ts'
import { createWatchdog, type Watchdog } from './watchdog.ts'

export type OpenDatabase = {
  db: Database
  /**
   * The same database for prepared lookups of a row or two, outside of transactions. On PostgreSQL they share
   * one connection, so that concurrent ones are pipelined, which makes a lookup a third cheaper.
   */
  lookUps: Database
  engine: 'postgres' | 'pglite'
  /**
   * Calls `hear` with each payload of a NOTIFY on `channel`, and `reconnected` whenever some may have been
   * lost.
   */
  listen(channel: string, hear: (payload: string) => void, reconnected: () => void): Promise<void>
  /**
   * Runs `work` while no statement runs. Only of the embedded database, whose files don't change meanwhile.
   */
  pause?: (work: () => Promise<void>) => Promise<void>
  /** Migrates the schema; safe when several nodes start at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/** How long one statement, and one wait for a lock, may take before the request gets a 503. */
const statementTimeoutMs = 8_000
const lockTimeoutMs = 5_000

/** How long a response may take, and a connection be silent, although the server responds on others. */
const responseLimitMs = statementTimeoutMs + 1_000

/**
 * With several, postgres.js (3.4.9) searches for a free one in a queue that grows with every query while it
 * is busy.
 */
const lookUpConnections = 1

/** The pause before reconnecting; by default postgres.js backs off to 20 seconds. */
const reconnectSeconds = 0.5

/**
 * Padding that makes the first message of a connection so long that postgres.js writes it at once. A short
 * one would wait for a timer that an earlier loss may have left stopped, and the connection would never open
 * again.
 */
const flushing = ' '.repeat(1_024)

/**
 * How many bytes of a WebAssembly function run before V8 optimizes it. By its default, 1.8 MB, it optimizes
 * hundreds that only a start needs, which is a third of the start's processor time; the ones that queries
 * need still get there within seconds.
 */
const optimizedAfterBytes = 25_000_000

const silentLog: Pick<Logger, 'info' | 'warn'> = { info() {}, warn() {} }

/** Connects to PostgreSQL; connections are opened on demand and after a loss. */
export function openPostgres(url: string, maxConnections = 10, log = silentLog): OpenDatabase {
  const watchdog = createWatchdog({ probe: () => probePostgres(url), limitMs: responseLimitMs, log })
  const sql = connect(url, maxConnections, watchdog)
  const lookUpSql = connect(url, lookUpConnections, watchdog)
  return {
    db: drizzlePostgres(sql),
    lookUps: drizzlePostgres(lookUpSql),
    engine: 'postgres',
    async listen(channel, hear, reconnected) {
      await sql.listen(channel, hear, reconnected)
    },
    migrate: () => migratePostgres(url, log),
    async close() {
      await Promise.all([sql, lookUpSql].map((each) => each.end({ timeout: 5 })))
      watchdog.stop()
    },
  }
}

function connect(url: string, maxConnections: number, watchdog: Watchdog): postgres.Sql {
  const options = {
    max: maxConnections,
    socket: watchdog.openSocket,
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
  }
  const sql = postgres(url, options)
  leaveLostTransactions(sql)
  leaveOutLostRows(sql)
  watchRequests(sql, watchdog)
  return sql
}

/** Opens the embedded database in `directory` (in memory without one). Hold the data directory's lock. */
export async function openPglite(directory?: string, log = silentLog): Promise<OpenDatabase> {
  setFlagsFromString(`--wasm-tiering-budget=${optimizedAfterBytes}`)
  const client = await PGlite.create(directory === undefined ? {} : { dataDir: directory })
  const db = drizzlePglite(client)
  return {
    db,
    lookUps: db,
    engine: 'pglite',
    async listen(channel, hear) {
      await client.listen(channel, hear)
    },
    pause: (work) => client.runExclusive(work),
    migrate: () => migratePglite(db, log),
    close: () => client.close(),
  }
}
