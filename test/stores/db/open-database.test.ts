import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../../src/stores/db/failures.ts'
import { type OpenDatabase, openPostgres } from '../../../src/stores/db/open-database.ts'
import { createEmptyDatabase } from '../../support/databases.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { isShort } from '../../support/short.ts'
import { newTeam } from '../../support/team.ts'
import { startOwnNode } from './own-node.ts'

/** Cuts every other connection to the database. */
function cutterOf(url: string) {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  return {
    cut: () => admin`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    close: () => admin.end(),
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  const late = sleep(5_000, 'hung', { ref: false })
  const done = work.then(
    () => 'done',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : `another error: ${error}`),
  )
  return Promise.race([done, late])
}

describe.runIf(process.env.TEST_ON)('when connections to PostgreSQL are cut', () => {
  let database: { url: string; drop(): Promise<void> }
  let opened: OpenDatabase
  let cutter: ReturnType<typeof cutterOf>

  beforeAll(async () => {
    database = await createEmptyDatabase(String(process.env.TEST_ON))
    opened = openPostgres(database.url, 4)
    cutter = cutterOf(database.url)
  })

  afterAll(async () => {
    await cutter.close()
    await opened.close()
    await database.drop()
  })

  const query = () => opened.db.execute(sql`select 1`)
  const transaction = (seconds: number) =>
    opened.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      await tx.execute(sql`select pg_sleep(${seconds})`)
    })

  it('a transaction under way fails as unavailable, and the next one works', async () => {
    for (let round = 0; round < (isShort ? 3 : 10); round += 1) {
      await query()
      const cut = outcomeOf(transaction(10))
      await sleep(20)
      await cutter.cut()
      expect(await cut).toBe('unavailable')
      await expect.poll(() => outcomeOf(transaction(0)), { timeout: 20_000 }).toBe('done')
    }
  })

  it('an error of the work itself is passed on, and rolled back', async () => {
    await query()
    const failing = opened.db.transaction(async (tx) => {
      await tx.execute(sql`create table left_behind ()`)
      throw new Error('mine')
    })
    await expect(failing).rejects.toThrow('mine')
    const rows: unknown = await opened.db.execute(sql`select to_regclass('left_behind') as name`)
    expect(rows).toMatchObject([{ name: null }])
  })

  it('rows of a lost response are not in the next one', async () => {
    const slowly = sql`select repeat('x', 20000), pg_sleep(0.05) from generate_series(1, 60)`
    const cut = outcomeOf(opened.lookUps.execute(slowly))
    await sleep(500)
    await cutter.cut()
    expect(await cut).toBe('unavailable')
    const lookUp = opened.lookUps.select({ number: sql`1` }).from(sql`generate_series(1, 1)`)
    const responses: unknown[] = []
    const next = async () => {
      const response = await lookUp.execute().catch((error: unknown) => String(isUnavailable(error)))
      if (typeof response !== 'string') responses.push(response.length)
      return responses.length
    }
    await expect.poll(next, { timeout: 20_000 }).toBe(3)
    expect(responses).toEqual([1, 1, 1])
  })

  it('repeatedly under load, nothing crashes, and everything works again soon after', async () => {
    let stopping = false
    const outcomes = new Set<string>()
    const lookUp = opened.lookUps
      .select({ number: sql`${sql.placeholder('number')}::int` })
      .from(sql`generate_series(1, 1)`)
      .prepare('own_number')
    let calls = 0
    const ownLookUp = async () => {
      const number = ++calls
      const rows = await lookUp.execute({ number })
      if (rows.length !== 1 || rows[0]?.number !== number) throw new Error("The answer is another look-up's.")
    }
    const repeat = async (work: () => Promise<unknown>) => {
      while (!stopping) outcomes.add(await outcomeOf(work()))
    }
    const working = [
      ...Array.from({ length: 4 }, () => repeat(() => transaction(Math.random() / 100))),
      ...Array.from({ length: 3 }, () => repeat(query)),
      ...Array.from({ length: 20 }, () => repeat(ownLookUp)),
    ]
    for (let i = 0; i < (isShort ? 10 : 40); i += 1) {
      await cutter.cut()
      await sleep(30 + Math.random() * 30)
    }
    stopping = true
    await Promise.all(working)
    // A query may still hang that postgres.js accepted between its connection's failure and end.
    expect([...outcomes].filter((outcome) => !['done', 'unavailable', 'hung'].includes(outcome))).toEqual([])
    const after = async () => {
      const ended = Array.from({ length: 20 }, () => outcomeOf(transaction(0)))
      return [...new Set(await Promise.all(ended))]
    }
    await expect.poll(after, { timeout: 30_000 }).toEqual(['done'])
  }, 120_000)
})

describe.runIf(process.env.TEST_ON)('a node whose connections to PostgreSQL are cut', () => {
  let node: TestNode

  beforeAll(async () => {
    node = await startOwnNode()
  })

  afterAll(() => node.stop())

  it('responds 200 or 503 meanwhile, and has every project that it acknowledged', async () => {
    const team = await newTeam(node)
    const cutter = cutterOf(String(node.settings.DATABASE_URL))
    const made: string[] = []
    const statuses = new Set<number>()
    const putMany = async () => {
      for (let i = 0; i < 20; i += 1) {
        const name = unique('p')
        const { status, headers } = await team.owner('PUT', `/v1/projects/${name}`)
        statuses.add(status)
        if (status === 200) made.push(name)
        else expect(headers.get('retry-after')).toBe('1')
      }
    }
    const working = Promise.all([putMany(), putMany(), putMany()])
    for (let i = 0; i < 4; i += 1) {
      await cutter.cut()
      await sleep(100)
    }
    await working
    await cutter.close()
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
    for (const name of made) expect((await team.owner('GET', `/v1/projects/${name}`)).status).toBe(200)
    expect(made.length).toBeGreaterThan(0)
  }, 240_000)
})
