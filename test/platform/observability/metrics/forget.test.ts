/** Counts are removed when their retention is over, or when their project or team is deleted. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  deleteGoneTraffic,
  deleteOldTraffic,
} from '../../../../src/platform/observability/metrics/retention.ts'
import { traffic, trafficDue, trafficGone } from '../../../../src/stores/db/schema/metrics.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { type CountedTeam, count, dayMs, hourMs, minuteMs, newCountedTeam, sumUpAll } from './counting.ts'

let node: TestNode
let team: CountedTeam

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  await db().delete(traffic)
  await db().delete(trafficDue)
  team = await newCountedTeam(node)
})

const db = () => node.installation.store.db
const nowMs = Date.now()

const left = (spanMs: number, scopeId = team.projectId) =>
  db().$count(traffic, and(eq(traffic.spanMs, spanMs), eq(traffic.scopeId, scopeId)))

/** Rows of one span, one after another from a time on. */
async function fill(spanMs: number, fromMs: number, rows: number): Promise<void> {
  const row = { scopeId: team.projectId, spanMs, writer: 0, requests: 1, bytes: 1, errors: 0, latencies: '' }
  const all = Array.from({ length: rows }, (_, index) => ({ ...row, startMs: fromMs + index * spanMs }))
  await db().insert(traffic).values(all)
}

const forget = (keptDays = 400) => deleteOldTraffic({ db: db(), nowMs }, keptDays)

it('minutes after 3 days, 1,000 at a time, the oldest first', async () => {
  const edgeMs = nowMs - 3 * dayMs
  await fill(minuteMs, edgeMs - 1_002 * minuteMs, 1_004)
  expect(await forget()).toBe(1_000)
  expect(await left(minuteMs)).toBe(4)
  expect(await forget()).toBe(2)
  expect(await forget()).toBe(0)
  expect(await left(minuteMs)).toBe(2)
})

it('hours after 92 days, and days after the configured number', async () => {
  await fill(hourMs, nowMs - 92 * dayMs - hourMs, 3)
  await fill(dayMs, nowMs - 402 * dayMs, 3)
  expect(await forget()).toBe(1)
  expect(await forget()).toBe(2)
  expect(await forget()).toBe(0)
  expect([await left(hourMs), await left(dayMs)]).toEqual([2, 1])
})

it('hours and days sooner, if configured', async () => {
  await fill(hourMs, nowMs - 12 * dayMs, 1)
  await fill(dayMs, nowMs - 12 * dayMs, 1)
  expect([await forget(10), await forget(10), await forget(10)]).toEqual([1, 1, 0])
})

it('nothing that is not summed up yet', async () => {
  const startMs = Math.floor((nowMs - 5 * dayMs) / hourMs) * hourMs
  await count(node, team, [{ endedMs: startMs }])
  expect(await forget()).toBe(0)
  await sumUpAll(node)
  // Of the project, and of its team.
  expect(await forget()).toBe(2)
  expect([await left(minuteMs), await left(hourMs), await left(dayMs)]).toEqual([0, 1, 1])
})

it('several nodes remove counts at once without a failure', async () => {
  await fill(minuteMs, nowMs - 10 * dayMs, 2_500)
  const counts = await Promise.all([1, 2, 3, 4].map(() => forget()))
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(2_500)
})

describe('of a deleted project', () => {
  const goneCount = (scopeId: string) => db().$count(trafficGone, eq(trafficGone.scopeId, scopeId))

  it('everything, 1,000 rows at a time; its team’s counts stay', async () => {
    await count(node, team, [{ endedMs: nowMs - dayMs }])
    await sumUpAll(node)
    await fill(minuteMs, nowMs - 5 * dayMs, 1_000)
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBe(0)
    await team.owner('DELETE', '/v1/projects/web')
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBe(1_000)
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBeGreaterThan(0)
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBe(0)
    expect([await left(minuteMs), await left(hourMs)]).toEqual([0, 0])
    expect(await left(minuteMs, team.id)).toBe(1)
  })

  it('also what is written a moment later, for up to an hour', async () => {
    await team.owner('DELETE', '/v1/projects/web')
    await deleteGoneTraffic({ db: db(), nowMs })
    await fill(minuteMs, nowMs, 1)
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBe(1)
    expect(await goneCount(team.projectId)).toBe(1)
    await deleteGoneTraffic({ db: db(), nowMs: Date.now() + hourMs + 1 })
    expect(await goneCount(team.projectId)).toBe(0)
  })

  it('of a deleted team, too', async () => {
    await count(node, team, [{ endedMs: nowMs }])
    await team.owner('DELETE', '/v1/projects/web')
    await team.owner('DELETE', `/v1/teams/${team.id}`)
    expect(await deleteGoneTraffic({ db: db(), nowMs })).toBe(2)
    expect(await left(minuteMs, team.id)).toBe(0)
  })
})
