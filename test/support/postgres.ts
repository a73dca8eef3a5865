/** The PostgreSQL server for tests, if one is available. */
import { connect } from 'node:net'
import postgres from 'postgres'

/** The address of a server on which databases can be created, or undefined if none answers. */
export async function postgresUrl(): Promise<string | undefined> {
  const url = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  // The errors of the driver read their stack, which fails in modules that Vitest has in its cache.
  if (!(await listens(new URL(url)))) return undefined
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    await sql`select 1`
    return url
  } catch {
    return undefined
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function listens({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 5432), timeout: 2_000 })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}
