/** Counting requests, each of them exactly once whatever fails. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { createTrafficCounter } from '../../../../src/platform/observability/metrics/count.ts'
import { traffic, trafficDue } from '../../../../src/stores/db/schema/metrics.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'
import { type CountedTeam, dayMs, hourMs, minuteMs, newCountedTeam, newCounter } from './counting.ts'

let node: TestNode
let team: CountedTeam

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  team = await newCountedTeam(node)
})

const db = () => node.installation.store.db
const nowMs = Math.floor(Date.now() / hourMs) * hourMs - 30 * minuteMs

const answer = (changes = {}) => ({
  teamId: team.id,
  projectId: team.projectId,
  status: 200,
  bytes: 100,
  durationMs: 2,
  endedMs: nowMs,
  ...changes,
})

/** The rows of a project or team, in order. */
async function rowsOf(scopeId: string) {
  const rows = await db().select().from(traffic).where(eq(traffic.scopeId, scopeId))
  return rows.sort((a, b) => a.startMs - b.startMs || a.requests - b.requests)
}

it('a minute’s requests, bytes and errors, of the project and of its team', async () => {
  const counter = newCounter(node, nowMs)
  for (const [status, bytes] of [
    [200, 1_000],
    [404, 10],
    [499, 0],
    [500, 5],
    [503, 6],
  ]) {
    counter.count(answer({ status, bytes, endedMs: nowMs + 59_999 }))
  }
  counter.count(answer({ endedMs: nowMs + minuteMs, projectId: 'prj_other' }))
  await counter.flush()
  const sums = { requests: 5, bytes: 1_021, errors: 2, startMs: nowMs, spanMs: minuteMs }
  expect(await rowsOf(team.projectId)).toMatchObject([sums])
  expect(await rowsOf(team.id)).toMatchObject([sums, { requests: 1, startMs: nowMs + minuteMs }])
  // An unknown host.
  expect(await rowsOf('prj_other')).toEqual([])
})

it('a minute’s responses by status; of 500 and above by the errors', async () => {
  const counter = newCounter(node, nowMs)
  for (const status of [200, 206, 200, 301, 304, 400, 404, 404, 500]) counter.count(answer({ status }))
  await counter.flush()
  const statuses = { responses2xx: 3, responses3xx: 2, responses4xx: 3, responses404: 2, errors: 1 }
  expect(await rowsOf(team.projectId)).toMatchObject([statuses])
  counter.count(answer({ status: 404 }))
  await counter.flush()
  expect(await rowsOf(team.id)).toMatchObject([{ ...statuses, responses4xx: 4, responses404: 3 }])
})

it('one row per minute, however often it is written, and none without requests', async () => {
  const counter = newCounter(node, nowMs)
  for (const total of [1, 2, 3]) {
    counter.count(answer())
    await counter.flush()
    expect(await rowsOf(team.projectId)).toMatchObject([{ requests: total, bytes: total * 100 }])
  }
  await counter.flush()
  counter.count(answer({ endedMs: nowMs + 5 * minuteMs }))
  await counter.flush()
  expect((await rowsOf(team.projectId)).map(({ requests }) => requests)).toEqual([3, 1])
})

it('two nodes, a restart, or a clock that is set back add up', async () => {
  const [first, second] = [newCounter(node, nowMs), newCounter(node, nowMs)]
  first.count(answer())
  second.count(answer())
  await Promise.all([first.flush(), second.flush()])
  first.count(answer({ endedMs: nowMs + minuteMs }))
  await first.flush()
  first.count(answer())
  first.count(answer())
  await first.flush()
  const rows = (await rowsOf(team.projectId)).filter(({ startMs }) => startMs === nowMs)
  expect(rows.map(({ requests }) => requests)).toEqual([1, 1, 2])
})

/** The same database, of which some statements, or only their results, are lost. */
function failing(fails: ('before' | 'after' | 'not')[]) {
  const execute = async (...args: Parameters<ReturnType<typeof db>['execute']>) => {
    const fail = fails.shift() ?? 'not'
    if (fail === 'before') throw new Error('The database is away.')
    const result = await db().execute(...args)
    if (fail === 'after') throw new Error('The database is away.')
    return result
  }
  return Object.create(db(), { execute: { value: execute } })
}

function counterOn(database: ReturnType<typeof failing>, clockMs = nowMs) {
  const logged: string[] = []
  const log = createLogger({ write: (line) => void logged.push(line) })
  return { ...createTrafficCounter({ db: database, nowMs: () => clockMs, log, maxUnwritten: 1_000 }), logged }
}

describe('while the database is unreachable', () => {
  it.each(['before', 'after'] as const)(
    'counts that could not be written are written later, once: lost %s',
    async (when) => {
      const counter = counterOn(failing([when, when]))
      counter.count(answer())
      await expect(counter.flush()).rejects.toThrow('away')
      counter.count(answer())
      counter.count(answer({ endedMs: nowMs + minuteMs }))
      await expect(counter.flush()).rejects.toThrow('away')
      await counter.flush()
      expect((await rowsOf(team.projectId)).map(({ requests }) => requests)).toEqual([2, 1])
      expect(counter.logged).toEqual([])
    },
  )

  it('counts older than a day are dropped, with a log line', async () => {
    const counter = counterOn(failing([]), nowMs + dayMs + 1)
    counter.count(answer())
    counter.count(answer({ endedMs: nowMs + 3 * minuteMs }))
    await counter.flush()
    expect((await rowsOf(team.projectId)).map(({ startMs }) => startMs)).toEqual([nowMs + 3 * minuteMs])
    expect(counter.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, requests: 2 }])
  })

  it('the number of kept counts is limited to the newest', async () => {
    const counter = counterOn(failing([]))
    const names = Array.from({ length: 240 }, (_, index) => `prj_${index}`)
    for (let minute = 0; minute < 5; minute += 1) {
      for (const projectId of names) counter.count(answer({ projectId, endedMs: nowMs + minute * minuteMs }))
    }
    counter.count(answer({ endedMs: nowMs + 5 * minuteMs }))
    await counter.flush()
    expect(counter.logged.map((line) => JSON.parse(line).msg)).toEqual([
      'Traffic counts were dropped: too many or too late.',
    ])
    expect(await rowsOf(team.projectId)).toMatchObject([{ startMs: nowMs + 5 * minuteMs }])
  })
})

it('an older write that arrives late removes nothing', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let held: Promise<unknown> | undefined
  const late = Object.create(db(), {
    execute: {
      value: (...args: Parameters<ReturnType<typeof db>['execute']>) => {
        if (held) return db().execute(...args)
        held = released.then(() => db().execute(...args))
        return Promise.reject(new Error('The connection was lost.'))
      },
    },
  })
  const counter = counterOn(late)
  counter.count(answer())
  await expect(counter.flush()).rejects.toThrow('lost')
  counter.count(answer())
  await counter.flush()
  release()
  await held
  expect(await rowsOf(team.projectId)).toMatchObject([{ requests: 2 }])
})

it('marks the hours as due in which something was counted', async () => {
  const counter = newCounter(node, nowMs)
  counter.count(answer({ endedMs: nowMs }))
  counter.count(answer({ endedMs: nowMs + 30 * minuteMs }))
  await counter.flush()
  const due = await db().select().from(trafficDue).where(eq(trafficDue.scopeId, team.projectId))
  const firstMs = Math.floor(nowMs / hourMs) * hourMs
  expect(due.sort((a, b) => a.startMs - b.startMs)).toMatchObject([
    { spanMs: hourMs, startMs: firstMs },
    { spanMs: hourMs, startMs: firstMs + hourMs },
  ])
})

it('nothing is written for a deleted team or project', async () => {
  const counter = newCounter(node, nowMs)
  counter.count(answer())
  await team.owner('DELETE', `/v1/projects/${team.projectId}`)
  await counter.flush()
  expect(await rowsOf(team.projectId)).toEqual([])
  expect(await rowsOf(team.id)).toHaveLength(1)
  await team.owner('DELETE', `/v1/teams/${team.id}`)
  counter.count(answer())
  await counter.flush()
  expect(await rowsOf(team.id)).toMatchObject([{ requests: 1 }])
})
