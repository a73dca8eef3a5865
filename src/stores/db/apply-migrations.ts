/** Applies migrations while other nodes, of this version and the one before, go on working. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from './database.ts'
import { isLockTimeout } from './failures.ts'
import type { Migration } from './migrations.ts'

type Deps = { db: Database; log: Pick<Logger, 'info' | 'warn'> }

/** Everybody else who needs the table waits behind a migration, but for no longer than this. */
const lockTimeoutMs = 2_000

const attempts = 30
const firstPauseMs = 500
const maxPauseMs = 15_000

const newestSchema = z.array(z.object({ created_at: z.coerce.number() }))

/**
 * Applies those that the database lacks, each in a transaction of its own. Nobody else may migrate meanwhile.
 * @throws the database's error; for a table that stays locked, after several minutes.
 */
export async function applyMigrations(deps: Deps, migrations: Migration[]): Promise<void> {
  const { db, log } = deps
  // Where Drizzle's own migrator, which earlier versions use, keeps them.
  await db.execute(sql`create schema if not exists drizzle`)
  await db.execute(sql`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    )`)
  const newestMs = await readNewest(db)
  const missing = migrations.filter(({ madeMs }) => madeMs > newestMs)
  const isNew = newestMs === Number.NEGATIVE_INFINITY
  for (const migration of missing) {
    if (!isNew) log.info({ migration: migration.name }, 'The database is being migrated.')
    await (migration.isConcurrent ? buildIndexes(deps, migration) : applyWhenFree(deps, migration))
  }
}

async function readNewest(db: Database): Promise<number> {
  const rows: unknown = await db.execute(
    sql`select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1`,
  )
  // PGlite's result has the rows within.
  const list = Array.isArray(rows) ? rows : z.object({ rows: z.array(z.unknown()) }).parse(rows).rows
  return newestSchema.parse(list)[0]?.created_at ?? Number.NEGATIVE_INFINITY
}

async function applyWhenFree({ db, log }: Deps, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction((tx) => apply(tx, migration))
      return
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs)
      log.warn(
        { migration: migration.name, attempt, pause_ms: pauseMs },
        'A table is in use by a long transaction (see pg_stat_activity): the migration is tried again.',
      )
      await sleep(pauseMs)
    }
  }
}

async function apply(tx: Database, migration: Migration): Promise<void> {
  await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`))
  for (const statement of migration.statements) await tx.execute(sql.raw(statement))
  await record(tx, migration)
}

/** An attempt that broke off has left an index that is not valid, which is built again. */
async function buildIndexes({ db }: Deps, migration: Migration): Promise<void> {
  for (const statement of migration.statements) {
    const [, name] = /index concurrently (?:if not exists )?"([^"]+)"/i.exec(statement) ?? []
    if (name !== undefined) await db.execute(sql`drop index if exists ${sql.identifier(name)}`)
    await db.execute(sql.raw(statement))
  }
  await record(db, migration)
}

async function record(db: Database, { sha256, madeMs }: Migration): Promise<void> {
  await db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${sha256}, ${madeMs})`,
  )
}
