/** The series that clients read. */
import { and, eq, lt } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { traffic } from '../../../src/stores/db/schema/metrics.ts'
import {
  type CountedTeam,
  count,
  dayMs,
  hourMs,
  midnight,
  minuteMs,
  newCountedTeam,
  sumUpAll,
} from '../../platform/observability/metrics/counting.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let team: CountedTeam

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  team = await newCountedTeam(node)
})

afterEach(() => {
  node.clock.aheadMs = 0
})

const db = () => node.installation.store.db

type Point = [number, number | null]

/** The response for a metric. */
async function metricsOf(metric: string, options: Record<string, string | number> = {}) {
  const query = new URLSearchParams({ metric, ...stringsOf(options) })
  return team.owner('GET', `/v1/metrics?${query}`)
}

const stringsOf = (options: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)]))

/** The points of a metric that are neither 0 nor null. */
async function pointsOf(metric: string, options: Record<string, string | number> = {}): Promise<Point[]> {
  const { status, body } = await metricsOf(metric, options)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.points.filter(([, value]: Point) => value)
}

const floorTo = (spanMs: number, ms: number) => Math.floor(ms / spanMs) * spanMs

describe('without options', () => {
  it('the last 24 hours of the whole team in steps of five minutes, up to now', async () => {
    const nowMs = Date.now()
    const { body: other } = await team.owner('PUT', '/v1/projects/docs')
    await count(node, team, [{ endedMs: nowMs }])
    await count(node, { id: team.id, projectId: other.id }, [{ endedMs: nowMs }])
    const { status, body } = await metricsOf('requests')
    expect(status).toBe(200)
    expect(body).toMatchObject({ metric: 'requests', unit: 'requests', step_ms: 300_000 })
    const step = floorTo(300_000, nowMs)
    expect(body.points.at(-1)).toEqual([step, 2])
    expect(body.points[0]).toEqual([floorTo(300_000, nowMs - dayMs), 0])
    expect(body.points).toHaveLength(289)
    expect(
      body.points.every(([ms]: Point, index: number) => ms === body.points[0][0] + index * 300_000),
    ).toBe(true)
  })

  it.each([
    [hourMs, minuteMs],
    [7 * dayMs, hourMs],
    [30 * dayMs, 6 * hourMs],
    [90 * dayMs, 12 * hourMs],
    [390 * dayMs, 7 * dayMs],
  ])('for the last %i ms, steps of %i ms', async (agoMs, stepMs) => {
    const { body } = await metricsOf('requests', { since_ms: Date.now() - agoMs })
    expect(body.step_ms).toBe(stepMs)
  })
})

it('requests, bytes, errors and percentiles of a project, by name or id', async () => {
  const endedMs = floorTo(minuteMs, Date.now()) - minuteMs
  await count(node, team, [
    { endedMs, bytes: 7, durationMs: 10 },
    { endedMs, bytes: 5, durationMs: 20, status: 500 },
    { endedMs, bytes: 0, durationMs: 400, status: 404 },
  ])
  for (const project of ['web', team.projectId]) {
    const options = { project, step_ms: minuteMs, since_ms: endedMs, until_ms: endedMs + minuteMs }
    const one = async (metric: string) => (await metricsOf(metric, options)).body
    expect(await one('requests')).toEqual({
      metric: 'requests',
      unit: 'requests',
      step_ms: minuteMs,
      points: [[endedMs, 3]],
    })
    expect(await one('bytes')).toMatchObject({ unit: 'bytes', points: [[endedMs, 12]] })
    expect(await one('errors')).toMatchObject({ unit: 'requests', points: [[endedMs, 1]] })
    for (const [metric, expected] of [
      ['latency_p50', 20],
      ['latency_p95', 400],
      ['latency_p99', 400],
    ] as const) {
      const { unit, points } = await one(metric)
      expect(unit).toBe('ms')
      expect(Math.abs(points[0][1] / expected - 1)).toBeLessThan(0.01)
    }
  }
})

describe('responses by status', () => {
  const counts = ['responses_2xx', 'responses_3xx', 'responses_4xx', 'responses_5xx', 'responses_404']
  const sinceMs = floorTo(minuteMs, Date.now()) - 10 * minuteMs

  /** The values of each count in steps of a minute, or in one of an hour. */
  async function valuesOf(options: Record<string, string | number> = {}) {
    const range = { since_ms: sinceMs, until_ms: sinceMs + 2 * minuteMs, step_ms: minuteMs }
    const series = counts.map(async (metric) => {
      const { status, body } = await metricsOf(metric, { ...range, ...options })
      expect({ status, unit: body.unit }).toEqual({ status: 200, unit: 'requests' })
      return [metric, body.points.map(([, value]: Point) => value)]
    })
    return Object.fromEntries(await Promise.all(series))
  }

  it('are counted by class, and those of 404 alone, too', async () => {
    const statuses = [200, 200, 204, 308, 404, 403, 404, 502]
    await count(
      node,
      team,
      statuses.map((status) => ({ endedMs: sinceMs, status })),
    )
    expect(await valuesOf({ project: 'web' })).toEqual({
      responses_2xx: [3, 0],
      responses_3xx: [1, 0],
      responses_4xx: [3, 0],
      responses_5xx: [1, 0],
      responses_404: [2, 0],
    })
  })

  it('are null where some were counted by a version that didn’t tell them apart', async () => {
    await count(node, team, [{ endedMs: sinceMs, status: 404 }])
    await db()
      .update(traffic)
      .set({ responses2xx: null, responses3xx: null, responses4xx: null, responses404: null })
      .where(eq(traffic.scopeId, team.projectId))
    await count(node, team, [
      { endedMs: sinceMs, status: 500 },
      { endedMs: sinceMs + minuteMs, status: 404 },
    ])
    expect(await valuesOf({ project: 'web' })).toEqual({
      responses_2xx: [null, 0],
      responses_3xx: [null, 0],
      responses_4xx: [null, 1],
      responses_5xx: [1, 0],
      responses_404: [null, 1],
    })
  })
})

it('a step without requests is 0, without latency', async () => {
  const sinceMs = floorTo(minuteMs, Date.now()) - 10 * minuteMs
  await count(node, team, [{ endedMs: sinceMs + minuteMs, durationMs: 4 }])
  const options = { since_ms: sinceMs, until_ms: sinceMs + 3 * minuteMs, step_ms: minuteMs }
  const times = [0, 1, 2].map((index) => sinceMs + index * minuteMs)
  const values = async (metric: string) => (await metricsOf(metric, options)).body.points
  expect(await values('requests')).toEqual(times.map((ms, index) => [ms, index === 1 ? 1 : 0]))
  expect(await values('latency_p50')).toEqual([
    [times[0], null],
    [times[1], expect.closeTo(4, 1)],
    [times[2], null],
  ])
})

describe('steps', () => {
  it.each([2, 7, 90])('of %i minutes begin at multiples of that, and are returned whole', async (minutes) => {
    const stepMs = minutes * minuteMs
    const startMs = floorTo(stepMs, Date.now() - 5 * hourMs)
    const ends = [startMs - 1, startMs, startMs + stepMs - 1, startMs + stepMs]
    for (const endedMs of ends) await count(node, team, [{ endedMs }])
    const within = { since_ms: startMs + stepMs - 1, until_ms: startMs + stepMs, step_ms: stepMs }
    const { body } = await metricsOf('requests', within)
    expect(body.points).toEqual([[startMs, 2]])
    const all = await metricsOf('requests', {
      ...within,
      since_ms: startMs - 1,
      until_ms: startMs + stepMs + 1,
    })
    expect(all.body.points.map(([, value]: Point) => value)).toEqual([1, 2, 1])
  })

  it('include the current one, and none after it', async () => {
    const nowMs = Date.now()
    await count(node, team, [{ endedMs: nowMs }])
    const { body } = await metricsOf('requests', {
      since_ms: nowMs - hourMs,
      until_ms: nowMs + dayMs,
      step_ms: hourMs,
    })
    expect(body.points.at(-1)).toEqual([floorTo(hourMs, nowMs), 1])
    expect(body.points).toHaveLength(2)
  })
})

describe('further back', () => {
  it('hours and days are the same before they are summed up, during, and after', async () => {
    const startMs = midnight(2)
    const answers = Array.from({ length: 48 }, (_, index) => ({
      endedMs: startMs + index * 30 * minuteMs,
      durationMs: index + 1,
      status: index === 3 ? 503 : 200,
    }))
    await count(node, team, answers)
    await count(node, team, [{ endedMs: Date.now() }])
    const read = async () => [
      await pointsOf('requests', { since_ms: startMs, step_ms: hourMs }),
      await pointsOf('errors', { since_ms: startMs, step_ms: 2 * hourMs }),
      await pointsOf('latency_p95', { since_ms: startMs, step_ms: 6 * hourMs }),
      await pointsOf('bytes', { since_ms: startMs, step_ms: dayMs, project: 'web' }),
      await pointsOf('latency_p50', { since_ms: startMs, step_ms: dayMs, project: 'web' }),
    ]
    const before = await read()
    expect(before[0]).toHaveLength(25)
    expect(before[3]).toEqual([
      [startMs, 4_800],
      [midnight(), 100],
    ])
    await sumUpAll(node, startMs + 3 * hourMs + minuteMs)
    expect(await read()).toEqual(before)
    await sumUpAll(node, startMs + 20 * hourMs)
    expect(await read()).toEqual(before)
    await sumUpAll(node)
    expect(await read()).toEqual(before)
    // Only now: of that day nothing but the sums is left.
    await db()
      .delete(traffic)
      .where(and(eq(traffic.spanMs, minuteMs), lt(traffic.startMs, midnight(1))))
    expect(await read()).toEqual(before)
    // Late counts are included at once, and need the parts that came before them.
    await count(node, team, [{ endedMs: midnight(1) }])
    expect((await read())[3]).toEqual([
      [startMs, 4_800],
      [midnight(1), 100],
      [midnight(), 100],
    ])
  })

  it('days are read where hours are no longer kept', async () => {
    const startMs = midnight(200)
    await count(node, team, [{ endedMs: startMs + 5 * hourMs, durationMs: 30 }])
    await sumUpAll(node)
    const options = { since_ms: startMs, until_ms: startMs + dayMs }
    expect(await pointsOf('requests', { ...options, step_ms: dayMs })).toEqual([[startMs, 1]])
    expect(await pointsOf('latency_p99', options)).toEqual([[startMs, expect.closeTo(30, 0)]])
  })
})

describe('percentiles of 100,000 requests', () => {
  const latencies: number[] = []
  const startMs = midnight(2)
  let seed = 42
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return (seed + 1) / 2_147_483_649
  }
  // Most are quick, and some take long.
  const latency = () => Math.exp(Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()) * 1.5)

  const exact = (values: number[], percent: number) => {
    const sorted = values.toSorted((a, b) => a - b)
    return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0
  }

  async function expectExact(options: Record<string, number>): Promise<void> {
    for (const percent of [50, 95, 99]) {
      const [point] = await pointsOf(`latency_p${percent}`, { project: 'web', since_ms: startMs, ...options })
      const hours = Math.min(20, (options.until_ms ?? 0) / hourMs - startMs / hourMs)
      const values = latencies.filter((_, index) => index % 20 < hours)
      expect(Math.abs((point?.[1] ?? 0) / exact(values, percent) - 1)).toBeLessThan(0.01)
    }
  }

  it('are off by 1 % at most, for minutes, hours and a day, on two nodes', async () => {
    for (let index = 0; index < 100_000; index += 1) latencies.push(latency())
    const answers = latencies.map((durationMs, index) => ({
      durationMs,
      endedMs: startMs + (index % 20) * hourMs + (index % 3_000) * 1_000,
    }))
    const byTime = answers.toSorted((a, b) => a.endedMs - b.endedMs)
    await Promise.all(
      [0, 1].map((half) =>
        count(
          node,
          team,
          byTime.filter((_, index) => index % 2 === half),
        ),
      ),
    )
    const day = { step_ms: dayMs, until_ms: startMs + dayMs }
    await expectExact(day)
    await expectExact({ step_ms: hourMs, until_ms: startMs + hourMs })
    await sumUpAll(node)
    await db().delete(traffic).where(eq(traffic.spanMs, minuteMs))
    await expectExact({ step_ms: hourMs, until_ms: startMs + hourMs })
    await expectExact({ step_ms: 6 * hourMs, until_ms: startMs + 6 * hourMs })
    await db().delete(traffic).where(eq(traffic.spanMs, hourMs))
    await expectExact(day)
  }, 60_000)
})

describe('404 project_not_found, the same for', () => {
  it('an unknown project, and another team’s', async () => {
    const theirs = await newCountedTeam(node)
    const answers = await Promise.all(
      ['none', theirs.projectId].map((project) => metricsOf('requests', { project })),
    )
    for (const { status, body } of answers) {
      expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'project_not_found' })
    }
    expect(answers[1]?.body.message).toBe(`The team has no project ${theirs.projectId}.`)
  })
})

it('another team’s traffic is not included, and a member may read', async () => {
  const other = await newTeam(node)
  await count(node, team, [{ endedMs: Date.now() }])
  const { body } = await other.owner('GET', '/v1/metrics?metric=requests')
  expect(body.points.every(([, value]: Point) => value === 0)).toBe(true)
  const { api } = await addMember(node, team)
  const { body: read } = await api('GET', '/v1/metrics?metric=requests')
  expect(read.points.at(-1)[1]).toBe(1)
})

describe('400, naming the field', () => {
  const nowMs = Date.now()
  it.each<[string, string, Record<string, number>, RegExp]>([
    [
      'since is not before until',
      'since_ms',
      { since_ms: nowMs - 1, until_ms: nowMs - 1 },
      /before until_ms/,
    ],
    ['since is in the future', 'since_ms', { since_ms: nowMs + hourMs }, /not in the future/],
    ['since is before the retention', 'since_ms', { since_ms: nowMs - 402 * dayMs }, /kept for 400 days/],
    ['a negative time', 'until_ms', { until_ms: -1 }, /./],
    ['a step of less than a minute', 'step_ms', { step_ms: 1_000 }, /./],
    [
      'a step that is not a whole number of minutes',
      'step_ms',
      { step_ms: 90_000 },
      /whole number of minutes/,
    ],
    ['too many steps', 'step_ms', { since_ms: nowMs - 2 * dayMs, step_ms: minuteMs }, /300000 fits/],
    [
      'minutes where only hours are kept',
      'step_ms',
      { since_ms: nowMs - 4 * dayMs, step_ms: 30 * minuteMs },
      /multiple of 3600000/,
    ],
    [
      'hours where only days are kept',
      'step_ms',
      { since_ms: nowMs - 100 * dayMs, step_ms: 12 * hourMs },
      /multiple of 86400000/,
    ],
  ])('%s', async (_what, path, options, message) => {
    const { status, body } = await metricsOf('requests', options)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues).toMatchObject([{ path, message: expect.stringMatching(message) }])
  })

  it('no metric, or an unknown one', async () => {
    for (const query of ['', '?metric=hits']) {
      const { status, body } = await team.owner('GET', `/v1/metrics${query}`)
      expect(status).toBe(400)
      expect(body.issues).toMatchObject([{ path: 'metric' }])
    }
  })
})

describe('the overview', () => {
  const overview = async () => {
    const { body } = await team.owner('GET', '/v1/overview')
    const { requests_24h, bytes_24h, errors_24h } = body
    return { requests_24h, bytes_24h, errors_24h }
  }

  it('has the traffic of the last 24 hours, and nothing older', async () => {
    const nowMs = Date.now()
    for (const agoMs of [0, 90 * minuteMs, 23 * hourMs, dayMs - minuteMs]) {
      await count(node, team, [{ endedMs: nowMs - agoMs, status: agoMs === 0 ? 500 : 200 }])
    }
    await count(node, team, [{ endedMs: nowMs - dayMs - 2 * minuteMs }])
    const expected = { requests_24h: 4, bytes_24h: 400, errors_24h: 1 }
    expect(await overview()).toEqual(expected)
    await sumUpAll(node)
    expect(await overview()).toEqual(expected)
    node.clock.aheadMs = 2 * minuteMs
    expect(await overview()).toEqual({ requests_24h: 3, bytes_24h: 300, errors_24h: 1 })
  })
})
