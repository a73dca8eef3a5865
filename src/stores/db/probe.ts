/** Finds out whether a PostgreSQL server responds, on a connection of its own. */
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { within } from '../../lib/async/within.ts'
import type { Server } from './watchdog.ts'

const limitMs = 3_000

/**
 * A timer that is later than this means that this process was busy, and may not have read a response that is
 * there.
 */
const busyMs = 200

/**
 * Resolves when the server responds, if only with an error. Rejects when it can't be reached, or is silent
 * for 3 seconds.
 */
export async function probePostgres(url: string): Promise<void> {
  let socket: Socket | undefined
  const options = {
    max: 1,
    connect_timeout: (2 * limitMs) / 1_000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'svc' },
    socket({ host: [host], port: [port], path }: Server) {
      socket = path ? connect(path) : Object.assign(connect(port ?? 0, host), { host })
      return socket
    },
  }
  const sql = postgres(url, options)
  try {
    await inTime(sql`select 1`.then(() => {}, ignoreRefusal))
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
    // Closing it in an orderly way would wait for the server.
    socket?.destroy()
  }
}

function inTime(response: Promise<void>): Promise<void> {
  const dueMs = performance.now() + limitMs
  return within(limitMs, response, () => {
    if (performance.now() - dueMs > busyMs) return inTime(response)
    throw new Error(`The database did not respond within ${limitMs} ms.`)
  })
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof postgres.PostgresError)) throw error
}
