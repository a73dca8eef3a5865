/** Minutes are summed up into hours, and hours into days, each of them once. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addFormatted, createLatencies } from '../../../../src/platform/observability/metrics/latencies.ts'
import { sumUp } from '../../../../src/platform/observability/metrics/sum-up.ts'
import { traffic, trafficDue } from '../../../../src/stores/db/schema/metrics.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import {
  type CountedTeam,
  count,
  dayMs,
  hourMs,
  midnight,
  minuteMs,
  newCountedTeam,
  sumUpAll,
} from './counting.ts'

let node: TestNode
let team: CountedTeam
const dayStartMs = midnight(2)

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  await sumUpAll(node)
  team = await newCountedTeam(node)
})

const db = () => node.installation.store.db

async function sumsOf(spanMs: number, scopeId = team.projectId) {
  const rows = await db()
    .select()
    .from(traffic)
    .where(and(eq(traffic.scopeId, scopeId), eq(traffic.spanMs, spanMs)))
  return rows.sort((a, b) => a.startMs - b.startMs)
}

/** Responses a minute apart. */
const minutes = (fromMs: number, length: number) =>
  Array.from({ length }, (_, index) => ({ endedMs: fromMs + index * minuteMs, durationMs: index + 1 }))

it('hours and days are the sums of their parts, on every node', async () => {
  await count(node, team, minutes(dayStartMs + 50 * minuteMs, 20))
  await count(node, team, [{ endedMs: dayStartMs + 55 * minuteMs, status: 502, bytes: 1 }])
  await sumUpAll(node)
  const hours = await sumsOf(hourMs)
  expect(hours).toMatchObject([
    { startMs: dayStartMs, requests: 11, bytes: 1_001, errors: 1, writer: 0 },
    { startMs: dayStartMs + hourMs, requests: 10, bytes: 1_000, errors: 0, writer: 0 },
  ])
  const days = await sumsOf(dayMs)
  expect(days).toMatchObject([{ startMs: dayStartMs, requests: 21, bytes: 2_001, errors: 1, writer: 0 }])
  const latencies = createLatencies()
  addFormatted(latencies, days[0]?.latencies ?? '')
  expect(latencies.count).toBe(21)
  expect(await sumsOf(dayMs, team.id)).toMatchObject([{ requests: 21 }])
  expect(await db().$count(trafficDue, eq(trafficDue.scopeId, team.projectId))).toBe(0)
})

describe('responses by status', () => {
  const statuses = [200, 200, 304, 404, 403]

  it('are sums of their parts', async () => {
    for (const endedMs of [dayStartMs, dayStartMs + hourMs]) {
      await count(
        node,
        team,
        statuses.map((status) => ({ endedMs, status })),
      )
    }
    await sumUpAll(node)
    const hour = { responses2xx: 2, responses3xx: 1, responses4xx: 2, responses404: 1 }
    expect(await sumsOf(hourMs)).toMatchObject([hour, hour])
    const day = { responses2xx: 4, responses3xx: 2, responses4xx: 4, responses404: 2 }
    expect(await sumsOf(dayMs)).toMatchObject([day])
  })

  it('are unknown where they are of a part, as of versions that didn’t count them', async () => {
    await count(node, team, [{ endedMs: dayStartMs }, { endedMs: dayStartMs + hourMs }])
    const none = { responses2xx: null, responses3xx: null, responses4xx: null, responses404: null }
    await db()
      .update(traffic)
      .set(none)
      .where(and(eq(traffic.scopeId, team.projectId), eq(traffic.startMs, dayStartMs)))
    await sumUpAll(node)
    expect(await sumsOf(hourMs)).toMatchObject([
      { ...none, requests: 1 },
      { responses2xx: 1, responses4xx: 0 },
    ])
    expect(await sumsOf(dayMs)).toMatchObject([{ ...none, requests: 2 }])
  })
})

it('sums up an hour or a day only when it is over', async () => {
  await count(node, team, minutes(dayStartMs, 1))
  await sumUpAll(node, dayStartMs + hourMs)
  expect(await sumsOf(hourMs)).toEqual([])
  await sumUpAll(node, dayStartMs + hourMs + minuteMs)
  expect(await sumsOf(hourMs)).toHaveLength(1)
  expect(await sumsOf(dayMs)).toEqual([])
  await sumUpAll(node, dayStartMs + dayMs + minuteMs)
  expect(await sumsOf(dayMs)).toHaveLength(1)
})

describe('nothing counts twice', () => {
  it('when it is summed up again', async () => {
    await count(node, team, minutes(dayStartMs, 3))
    await sumUpAll(node)
    const once = [await sumsOf(hourMs), await sumsOf(dayMs)]
    for (const spanMs of [hourMs, dayMs]) {
      await db().insert(trafficDue).values({ spanMs, startMs: dayStartMs, scopeId: team.projectId })
    }
    expect(await sumUpAll(node)).toBeGreaterThan(1)
    expect([await sumsOf(hourMs), await sumsOf(dayMs)]).toEqual(once)
  })

  it('when a node dies at the end of summing up', async () => {
    await count(node, team, minutes(dayStartMs, 3))
    const dying = Object.create(db(), {
      transaction: {
        value: (work: Parameters<ReturnType<typeof db>['transaction']>[0]) =>
          db().transaction(async (tx) => {
            await work(tx)
            throw new Error('The process was killed.')
          }),
      },
    })
    await expect(sumUp({ db: dying, nowMs: Date.now() })).rejects.toThrow('killed')
    expect(await sumsOf(hourMs)).toEqual([])
    await sumUpAll(node)
    expect(await sumsOf(hourMs)).toMatchObject([{ requests: 3 }])
    expect(await sumsOf(dayMs)).toMatchObject([{ requests: 3 }])
  })

  it('when several nodes sum up at once', async () => {
    await count(node, team, minutes(dayStartMs, 24 * 60))
    await Promise.all([sumUpAll(node), sumUpAll(node), sumUpAll(node)])
    await sumUpAll(node)
    expect((await sumsOf(hourMs)).map(({ requests }) => requests)).toEqual(Array(24).fill(60))
    expect(await sumsOf(dayMs)).toMatchObject([{ requests: 24 * 60 }])
  })
})

it('late counts are added to their hour and their day', async () => {
  await count(node, team, minutes(dayStartMs, 3))
  await sumUpAll(node)
  await count(node, team, minutes(dayStartMs, 2))
  await sumUpAll(node)
  expect(await sumsOf(hourMs)).toMatchObject([{ requests: 5 }])
  expect(await sumsOf(dayMs)).toMatchObject([{ requests: 5 }])
})

it('counts that are written while their hour is summed up are in the next sum', async () => {
  await count(node, team, minutes(dayStartMs, 3))
  const racing = Array.from({ length: 20 }, () => count(node, team, minutes(dayStartMs, 1)))
  await Promise.all([...racing, sumUpAll(node), sumUpAll(node)])
  await sumUpAll(node)
  expect(await sumsOf(hourMs)).toMatchObject([{ requests: 23 }])
  expect(await sumsOf(dayMs)).toMatchObject([{ requests: 23 }])
})

it('does a bounded amount of work at a time, the oldest first', async () => {
  await count(node, team, minutes(dayStartMs, 24 * 60))
  expect(await sumUp({ db: db(), nowMs: Date.now() })).toBe(25)
  const [first] = await sumsOf(hourMs)
  expect(first).toMatchObject({ startMs: dayStartMs })
  expect(await sumsOf(dayMs)).toEqual([])
})
