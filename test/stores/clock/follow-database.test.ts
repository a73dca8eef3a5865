/** The time of a database that nodes share. */
import { performance } from 'node:perf_hooks'
import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { followDatabase } from '../../../src/stores/clock/follow-database.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'

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
  it('is independent of this machine’s clock and its changes', async () => {
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + yearMs)
    const { nowMs } = await follow()
    vi.spyOn(Date, 'now').mockImplementation(() => real() - yearMs)
    const [before, now, after] = [await databaseTime(), nowMs(), await databaseTime()]
    // Its precision is the duration of the query.
    const startMs = performance.now()
    await databaseTime()
    const slackMs = 1_000 + (performance.now() - startMs)
    expect(now).toBeGreaterThan(before - slackMs)
    expect(now).toBeLessThan(after + slackMs)
    expect(Number.isInteger(now)).toBe(true)
  })
})

describe('a node that queries it again', () => {
  /** A database whose clock is ahead by this much, or that is unreachable. */
  function movable() {
    const state = { aheadMs: 0, isAway: false, queries: 0 }
    const select = () => ({
      from: async () => {
        state.queries += 1
        if (state.isAway) throw new Error('away')
        return [{ ms: String(1_000_000 + Math.round(performance.now()) + state.aheadMs) }]
      },
    })
    return { state, db: { select } as unknown as Database }
  }

  it('follows when the database’s clock was set, and continues while it is unreachable', async () => {
    const { state, db } = movable()
    const { nowMs } = await follow(db, 5)
    const ahead = () => nowMs() - 1_000_000 - performance.now()
    expect(Math.abs(ahead())).toBeLessThan(10_000)
    state.aheadMs = yearMs
    await eventually(() => expect(ahead()).toBeGreaterThan(yearMs - 10_000))
    state.isAway = true
    const queries = state.queries
    await eventually(() => expect(state.queries).toBeGreaterThan(queries + 1))
    expect(ahead()).toBeGreaterThan(yearMs - 10_000)
  })
})
