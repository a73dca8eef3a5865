/** Sessions on PostgreSQL: each is one transaction, without the time limits of a node's queries. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import postgres from 'postgres'
import { z } from 'zod'
import { columnList, quoted, type Session } from './session.ts'

/** Not that of nodes, whose connections are counted. */
const applicationName = 'svc admin'

/** Runs `work` in a transaction that sees the database as it is now, and changes nothing. */
export function readPostgres<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  return withClient(url, (sql) => inTransaction(sql, 'isolation level repeatable read read only', work))
}

/**
 * Runs `work` in a transaction, of which all is committed or nothing. `before` runs on the same connection,
 * whose locks are kept until the end.
 */
export function writePostgres<T>(
  url: string,
  before: (session: Session) => Promise<void>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withClient(url, async (sql) => {
    await before(sessionOf(sql))
    return inTransaction(sql, '', work)
  })
}

/**
 * The state of a transaction (`pg_current_xact_id`): `committed`, `aborted` or `in progress`; undefined if
 * the server doesn't know it.
 */
export function committedPostgres(url: string, transaction: string): Promise<string | undefined> {
  return withClient(url, async (sql) => {
    const [found] = await sql`select pg_xact_status(${transaction}::xid8) as status`.catch(refuseFuture)
    return z.string().optional().catch(undefined).parse(found?.status)
  })
}

/** The server has not counted so far: it is another one. */
function refuseFuture(error: unknown): [] {
  if (error instanceof postgres.PostgresError && error.code === '22023') return []
  throw error
}

async function withClient<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    fetch_types: false,
    connection: { application_name: applicationName },
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Rejects as `work` does, even if the connection can't be used for anything after that. */
async function inTransaction<T>(
  sql: postgres.Sql,
  mode: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  let failed: { error: unknown } | undefined
  const run = async (tx: postgres.ISql) => {
    try {
      return { result: await work(sessionOf(tx)) }
    } catch (error) {
      failed = { error }
      throw error
    }
  }
  try {
    return (await sql.begin(mode, run)).result
  } catch (error) {
    throw failed ? failed.error : error
  }
}

function sessionOf(sql: postgres.ISql): Session {
  return {
    async run(statement) {
      await sql.unsafe(statement)
    },
    async rows(query, parameters = []) {
      return [...(await sql.unsafe(query, parameters))]
    },
    async *copyOut(table) {
      const rows = await sql.unsafe(`copy ${quoted(table.name)} ${columnList(table)} to stdout`).readable()
      yield* rows
      // The driver stops reading from the server while rows wait here, also after the last of them.
      rows._read(0)
    },
    async copyIn(table, source) {
      const into = await sql.unsafe(`copy ${quoted(table.name)} ${columnList(table)} from stdin`).writable()
      await writeAll(into, source)
      // The driver doesn't report a failure at the end of the rows. After one, the transaction refuses this.
      await sql.unsafe('select 1').catch((cause: unknown) => {
        throw new Error(`PostgreSQL refuses the rows of ${table.name}.`, { cause })
      })
    },
  }
}

/** Resolves once all is sent. */
async function writeAll(into: Writable, source: AsyncIterable<Buffer>): Promise<void> {
  const failed = once(into, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  try {
    for await (const chunk of source)
      await Promise.race([failed, new Promise((resolve) => into.write(chunk, resolve))])
  } catch (error) {
    // Ends the copying, so that the transaction can be rolled back.
    into.destroy(error instanceof Error ? error : undefined)
    throw error
  }
  into.end()
  await setImmediate()
}
