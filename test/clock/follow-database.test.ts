/** The time of a database that nodes share. */
import { performance } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { followDatabase } from '../../src/clock/follow-database.ts'
import type { Database } from '../../src/db/open.ts'
import { sharedNode, type TestNode } from '../support/node.ts'

const yearMs = 365 * 24 * 3_600_000

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

afterEach(() => vi.restoreAllMocks())

const databaseTime = async () => {
  const { db } = node.installation.store
  const [row] = await db
    .select({ ms: sql`extract(epoch from clock_timestamp()) * 1000` })
    .from(sql`(values (1)) as once`)
  return Number(row?.ms)
}

async function follow(db: Database = node.installation.store.db, everyMs?: number) {
  const clock = await followDatabase(db, everyMs)
  onTestFinished(clock.stop)
  return clock
}

describe.runIf(process.env.TEST_ON)('the time of a database that nodes share', () => {
  it('is told whatever the clock of this machine says, and however that is set', async () => {
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + yearMs)
    const { nowMs } = await follow()
    vi.spyOn(Date, 'now').mockImplementation(() => real() - yearMs)
    const [before, now, after] = [await databaseTime(), nowMs(), await databaseTime()]
    // It is known to what asking takes.
    const asking = performance.now()
    await databaseTime()
    const slackMs = 1_000 + (performance.now() - asking)
    expect(now).toBeGreaterThan(before - slackMs)
    expect(now).toBeLessThan(after + slackMs)
    expect(Number.isInteger(now)).toBe(true)
  })
})

describe('what a node asks again', () => {
  /** A database whose clock is ahead by so much, or that is away. */
  function movable() {
    const state = { aheadMs: 0, isAway: false, asked: 0 }
    const select = () => ({
      from: async () => {
        state.asked += 1
        if (state.isAway) throw new Error('away')
        return [{ ms: String(1_000_000 + Math.round(performance.now()) + state.aheadMs) }]
      },
    })
    return { state, db: { select } as unknown as Database }
  }

  it('is taken where the clock of the database was set, and the time goes on while it is away', async () => {
    const { state, db } = movable()
    const { nowMs } = await follow(db, 5)
    const ahead = () => nowMs() - 1_000_000 - performance.now()
    expect(Math.abs(ahead())).toBeLessThan(10_000)
    state.aheadMs = yearMs
    await vi.waitFor(() => expect(ahead()).toBeGreaterThan(yearMs - 10_000))
    state.isAway = true
    const asked = state.asked
    await vi.waitFor(() => expect(state.asked).toBeGreaterThan(asked + 1))
    expect(ahead()).toBeGreaterThan(yearMs - 10_000)
  })
})
