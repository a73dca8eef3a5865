/** A PostgreSQL server of the fleet's own, which can be restarted. */
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { eventually } from '../../support/eventually.ts'
import { type Child, runChild, startChild } from './child.ts'
import { idsOf } from './users.ts'

export type Postgres = {
  port: number
  pid(): number | undefined
  /** Ends it as a crash would, keeping nothing in memory. */
  crash(): Promise<void>
  /** Starts it again; resolves once it accepts connections. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Where Debian installs the programs of each version. */
const versions = '/usr/lib/postgresql'

const user = 'postgres'
const startMs = 30_000

/** Creates an empty server in `directory`. @throws when its programs are missing. */
export async function startPostgres(directory: string, port: number): Promise<Postgres> {
  const programs = findPrograms()
  const data = join(directory, 'postgres')
  await mkdir(data, { mode: 0o700 })
  const ids = process.getuid?.() === 0 ? await idsOf(user) : undefined
  if (ids) await chown(data, ids.uid, ids.gid)
  const options = { log: join(directory, 'postgres.log'), user: ids && user }
  await runChild(
    [join(programs, 'initdb'), '-D', data, '-U', user, '-A', 'trust', '--no-sync', '-E', 'UTF8'],
    options,
  )
  let child: Child | undefined

  async function start(): Promise<void> {
    child = startChild([join(programs, 'postgres'), ...flags(data, port)], options)
    await untilReady(port)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    await child?.end(signal)
  }

  await start()
  return {
    port,
    pid: () => child?.process.pid,
    crash: () => end('SIGQUIT'),
    start,
    close: () => end('SIGINT'),
  }
}

/** No syncs: processes die here, but never the machine. */
function flags(data: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    fsync: 'off',
  }
  return [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

function findPrograms(): string {
  const found = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  const directory = found
    .map((version) => join(versions, version, 'bin'))
    .find((each) => existsSync(join(each, 'initdb')))
  if (!directory)
    throw new Error(`The programs of a PostgreSQL server are missing in ${versions}: install postgresql.`)
  return directory
}

/** @throws when it doesn't accept connections in time. */
async function untilReady(port: number): Promise<void> {
  const look = async () => {
    const sql = postgres({
      host: '127.0.0.1',
      port,
      user,
      database: user,
      max: 1,
      connect_timeout: 2,
      onnotice: () => {},
    })
    try {
      await sql`select 1`
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  await eventually(look, { limitMs: startMs })
}
