/** Migrations of a database that several nodes use. */
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migratePostgres } from '../../../src/stores/db/migrate.ts'
import { type Migration, readMigrations } from '../../../src/stores/db/migrations.ts'
import { createDatabase, createEmptyDatabase } from '../../support/databases.ts'

const server = process.env.TEST_ON ?? ''

function newLog() {
  const lines: string[] = []
  const add = (_fields: unknown, message?: string) => void lines.push(message ?? String(_fields))
  return { lines, log: { info: add, warn: add } }
}

function later(name: string, statement: string): Migration {
  const isConcurrent = statement.includes('concurrently')
  return { name, statements: [statement], madeMs: 9_000_000_000_000, sha256: name, isConcurrent }
}

describe.runIf(process.env.TEST_ON)('an empty database', () => {
  it('is migrated once by nodes that start at once', { tags: 'long' }, async () => {
    const database = await createEmptyDatabase(server)
    const logs = Array.from({ length: 4 }, newLog)
    await Promise.all(logs.map(({ log }) => migratePostgres(database.url, log)))
    const sql = postgres(database.url, { max: 1 })
    const applied = await sql`select hash from drizzle.__drizzle_migrations order by created_at`
    expect(applied.map(({ hash }) => hash)).toEqual(readMigrations().map(({ sha256 }) => sha256))
    await sql.end()
    await database.drop()
    expect(logs.flatMap(({ lines }) => lines)).toContain(
      'Another node migrates the database: this one waits.',
    )
  })
})

describe.runIf(process.env.TEST_ON)('a database in use', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let sql: postgres.Sql

  beforeEach(async () => {
    database = await createDatabase(server)
    sql = postgres(database.url, { max: 3, onnotice: () => {} })
  })

  afterEach(async () => {
    await sql.end({ timeout: 1 })
    await database.drop()
  })

  const migrate = (migration: Migration, log = newLog().log) =>
    migratePostgres(database.url, log, [...readMigrations(), migration])

  /** A transaction that reads teams until the returned function is called. */
  async function readTeams(): Promise<() => Promise<unknown>> {
    let end = () => {}
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const done = sql.begin(async (tx) => {
      await tx`select from teams`
      begun()
      await isOver
    })
    await isBegun
    return () => {
      end()
      return done
    }
  }

  it('is not blocked for long by a migration that waits for a transaction', { tags: 'long' }, async () => {
    const release = await readTeams()
    const { lines, log } = newLog()
    const migrating = migrate(later('wide', 'alter table teams add column wide text'), log)
    let slowestMs = 0
    while (!lines.some((line) => line.includes('tried again'))) {
      const startMs = performance.now()
      await sql`select from teams`
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
      await sleep(20)
    }
    // It did wait, and then stood aside.
    expect(slowestMs).toBeGreaterThan(1_000)
    expect(slowestMs).toBeLessThan(4_000)
    await release()
    await migrating
    expect(await sql`select wide from teams`).toEqual([])
  })

  it('gets an index while transactions go on, by one of several nodes, without a deadlock', async () => {
    const release = await readTeams()
    const index = later('index', 'create index concurrently "teams_by_plan" on teams (plan)')
    const migrating = Promise.all([1, 2, 3].map(() => migrate(index)))
    const isBuilding = async () =>
      (await sql`select from pg_stat_progress_create_index where datname = current_database()`).length > 0
    await expect.poll(isBuilding, { timeout: 10_000 }).toBe(true)
    await sql`insert into teams (id, slug, name, personal, created_ms) values ('t', 't', 't', false, 1)`
    await release()
    await migrating
    expect(await sql`select indisvalid from pg_index where indexrelid = 'teams_by_plan'::regclass`).toEqual([
      { indisvalid: true },
    ])
  })

  it('gets an index again whose first attempt broke off', async () => {
    const rows = ['a', 'b'].map((id) => ({ id, slug: id, name: 'same', personal: false, created_ms: 1 }))
    await sql`insert into teams ${sql(rows)}`
    const index = later('unique', 'create unique index concurrently "teams_by_name" on teams (name)')
    await expect(migrate(index)).rejects.toThrow()
    await sql`update teams set name = id`
    await migrate(index)
    expect(await sql`select indisvalid from pg_index where indexrelid = 'teams_by_name'::regclass`).toEqual([
      { indisvalid: true },
    ])
  })

  it('stays as it was when a migration fails, and the next start goes on there', async () => {
    const broken = later('broken', 'create table half (); select nothing')
    await expect(migrate(broken)).rejects.toThrow()
    expect(await sql`select to_regclass('half') as half`).toEqual([{ half: null }])
    await migrate(later('whole', 'create table half ()'))
    expect(await sql`select from half`).toEqual([])
  })
})
