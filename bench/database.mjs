/** A database of the run's own on a PostgreSQL that is there already. */
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { moveToLoadCores } from './children.mjs'

const address = process.env.DATABASE_URL_BENCH ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Makes an empty database, and the way to remove it with whoever is still connected. */
export async function createDatabase(number) {
  const admin = postgres(address, { max: 1, connect_timeout: 5, onnotice: () => {} })
  const name = `svc_bench_${process.pid}_${number}`
  try {
    await admin.unsafe(`create database ${name}`)
  } catch (error) {
    await admin.end()
    throw new Error(`There is no PostgreSQL to be used (${error.message}). Set DATABASE_URL_BENCH.`)
  }
  const [{ version }] = await admin`select current_setting('server_version') as version`
  const url = new URL(address)
  url.pathname = `/${name}`
  return {
    url: url.href,
    version,
    /** Keeps its connections' processes off the server's core; false where they can't be moved. */
    async moveAway() {
      const rows = await admin`select pid from pg_stat_activity where datname = ${name}`
      return rows.every(({ pid }) => isLocalPostgres(pid) && moveToLoadCores(pid))
    },
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

/** The database may be on another machine, where this number is another process. */
function isLocalPostgres(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
  } catch {
    return false
  }
}
