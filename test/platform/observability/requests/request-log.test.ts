/** Which requests are logged, and what of them; deterministic, since every time is given. */
import { asc, eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import type { LoggedRequest } from '../../../../src/platform/observability/requests/line.ts'
import {
  createRequestLog,
  type RequestLog,
} from '../../../../src/platform/observability/requests/request-log.ts'
import { logLines } from '../../../../src/stores/db/schema/logs.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

let node: TestNode
let team: TestTeam
let log: RequestLog
let logged: string[]
let clock: { ms: number }

const projectId = newId('project', 1)
const deploymentId = newId('deployment', 1)

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  logged = []
  clock = { ms: Date.now() - 3_600_000 }
  log = createRequestLog({
    db: node.installation.store.db,
    log: createLogger({ write: (line) => void logged.push(line) }),
    nowMs: () => clock.ms,
  })
})

afterEach(() => vi.restoreAllMocks())

/** Makes the log observe a request that ends right now. */
function answer(changes: Partial<LoggedRequest> = {}): void {
  const { host = 'web', method = 'GET', path = '/about', address = '203.0.113.7', ...answered } = changes
  log.observe(
    {
      teamId: team.id,
      projectId,
      deploymentId,
      status: 200,
      bytes: 10,
      durationMs: 1.234_567,
      cache: 'memory',
      endedMs: clock.ms,
      ...answered,
    },
    () => ({ host, method, path, address }),
  )
}

function answerMany(count: number, changes: Partial<LoggedRequest> = {}): void {
  for (let index = 0; index < count; index += 1) answer(changes)
}

const written = (of = team) =>
  node.installation.store.db
    .select()
    .from(logLines)
    .where(eq(logLines.teamId, of.id))
    .orderBy(asc(logLines.id))

type Row = Awaited<ReturnType<typeof written>>[number]

const isNumber = ({ fields }: Row) => 'not_logged' in fields

/** The number of requests that the rows represent. */
const standsFor = (rows: Row[]) => rows.reduce((sum, { fields }) => sum + Number(fields.not_logged ?? 1), 0)

describe('a line', () => {
  it('has the request, its result, and an approximate client address', async () => {
    answer()
    await log.flush()
    const { body } = await team.owner('GET', '/v1/logs?kind=request')
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^log_[0-9a-f]{32}$/),
        time_ms: clock.ms,
        kind: 'request',
        level: 'info',
        message: 'GET /about 200',
        project: null,
        deployment: deploymentId,
        fields: {
          host: 'web',
          method: 'GET',
          path: '/about',
          status: 200,
          bytes: 10,
          duration_ms: 1.23,
          cache: 'memory',
          address: '203.0.113.0/24',
        },
      },
    ])
  })

  it.each([
    [200, 'info'],
    [304, 'info'],
    [308, 'info'],
    [400, 'warn'],
    [404, 'warn'],
    [500, 'error'],
    [503, 'error'],
  ])('of a response with %i has the level %s', async (status, level) => {
    answer({ status })
    await log.flush()
    expect(await written()).toMatchObject([{ level, message: `GET /about ${status}` }])
  })

  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['', 'unknown'],
    ['Bearer svc_secret', 'unknown'],
  ])('of a client at %j has the address %s', async (address, prefix) => {
    answer({ address })
    await log.flush()
    expect((await written())[0]?.fields.address).toBe(prefix)
  })

  it.each([
    ['control characters', '/\u001b[31m\u0000\u0007a\nb\u202e', '/␀␇a␊b�'],
    ['lone surrogates', '/\ud83da\udc00', '/�a�'],
    ['8,000 characters', `/${'a'.repeat(8_000)}`, `/${'a'.repeat(498)}…`],
    [
      'a surrogate pair where it is truncated',
      `/${'a'.repeat(497)}😀${'b'.repeat(9)}`,
      `/${'a'.repeat(497)}�…`,
    ],
    ['a credential', `/hooks/deploy/svch_${'a1'.repeat(19)}`, '/hooks/deploy/svch_…'],
    ['quotes and template syntax', `/'"\\$1{}`, `/'"\\$1{}`],
  ])('of a path with %s can be stored and displayed', async (_what, path, displayed) => {
    answer({ path })
    await log.flush()
    expect(await written()).toMatchObject([{ message: `GET ${displayed} 200`, fields: { path: displayed } }])
  })

  it('of 10,000 made-up paths takes no more room than of one', async () => {
    for (let index = 0; index < 10_000; index += 1) answer({ path: `/${index}`, status: 404 })
    await log.close()
    const rows = await written()
    expect(rows).toHaveLength(31)
    expect(standsFor(rows)).toBe(10_000)
  })
})

describe('of a busy project', () => {
  it('some requests have a line, and the others are counted, for each level', async () => {
    answerMany(900)
    answerMany(60, { status: 304 })
    answerMany(70, { status: 404 })
    clock.ms += 1_000
    await log.flush()
    const rows = await written()
    expect(rows.filter((row) => !isNumber(row))).toHaveLength(30)
    expect(rows.filter(isNumber)).toMatchObject([
      {
        level: 'info',
        message: '930 requests not logged: 870 × 2xx, 60 × 3xx',
        timeMs: clock.ms,
        projectId,
        deploymentId,
        fields: {
          not_logged: 930,
          by_status: { '2xx': 870, '3xx': 60 },
          from_ms: clock.ms - 1_000,
          to_ms: clock.ms - 1_000,
        },
      },
      { level: 'warn', message: '70 requests not logged: 70 × 4xx', fields: { not_logged: 70 } },
    ])
    expect(standsFor(rows)).toBe(1_030)
  })

  it('20 requests a second have a line, however many there are', async () => {
    for (let second = 0; second < 10; second += 1) {
      for (let tick = 0; tick < 100; tick += 1) {
        answerMany(5)
        clock.ms += 10
      }
      await log.flush()
    }
    await log.close()
    const rows = await written()
    // The burst, without the reserve for errors, and the tokens refilled in 9.99 s.
    expect(rows.filter((row) => !isNumber(row))).toHaveLength(30 + 199)
    expect(standsFor(rows)).toBe(5_000)
    // One a second and the last one.
    expect(rows.filter(isNumber).length).toBeLessThanOrEqual(11)
  })

  it('errors have a line though thousands of other requests come before them', async () => {
    for (let second = 0; second < 5; second += 1) {
      answerMany(2_000)
      answerMany(10, { status: 503 })
      answerMany(2_000)
      clock.ms += 1_000
    }
    await log.close()
    const rows = await written()
    expect(rows.filter(({ level }) => level === 'error').map(isNumber)).toEqual(Array(50).fill(false))
    expect(standsFor(rows)).toBe(5 * 4_010)
  })

  it('even errors are only counted when there are too many', async () => {
    answerMany(1_000, { status: 500 })
    await log.close()
    const rows = await written()
    expect(rows.at(-1)).toMatchObject({ level: 'error', message: '960 requests not logged: 960 × 5xx' })
    expect(rows).toHaveLength(41)
  })

  it('each deployment is counted separately', async () => {
    const other = newId('deployment', 1)
    answerMany(30)
    answerMany(5, { deploymentId: other })
    answerMany(1, { deploymentId: null, status: 404 })
    await log.close()
    const numbers = (await written()).filter(isNumber)
    expect(numbers.map(({ deploymentId, message }) => [deploymentId, message])).toEqual([
      [other, '5 requests not logged: 5 × 2xx'],
      [null, '1 request not logged: 1 × 4xx'],
    ])
  })

  it('another project has all its lines', async () => {
    answerMany(10_000)
    answer({ projectId: newId('project', 1), path: '/quiet' })
    await log.flush()
    expect((await written()).filter(({ message }) => message === 'GET /quiet 200')).toHaveLength(1)
  })

  it.each([
    ['back', -8 * 3_600_000],
    ['forward', 8 * 3_600_000],
  ])('a clock that is set %s changes nothing', async (_direction, byMs) => {
    answerMany(100)
    clock.ms += byMs
    answerMany(100)
    clock.ms += 1_000
    answerMany(100)
    await log.close()
    const rows = await written()
    expect(rows.filter((row) => !isNumber(row))).toHaveLength(byMs < 0 ? 50 : 80)
    expect(standsFor(rows)).toBe(300)
  })
})

it('lines of thousands of projects at once fill the node’s budget; the rest is counted', async () => {
  const projects = Array.from({ length: 3_000 }, () => newId('project', 1))
  for (const each of projects) answer({ projectId: each, deploymentId: null })
  await log.close()
  const rows = await written()
  expect(rows.filter((row) => !isNumber(row))).toHaveLength(900)
  expect(standsFor(rows)).toBe(3_000)
  expect(new Set(rows.map((row) => row.projectId)).size).toBe(3_000)
})

describe('while the database is unreachable', () => {
  const away = () =>
    vi.spyOn(node.installation.store.db, 'execute').mockImplementation(() => {
      throw new Error('The database is away.')
    })

  it('requests are kept, and logged when it is back', async () => {
    const store = away()
    answerMany(5)
    await log.flush()
    clock.ms += 500
    answerMany(5)
    await log.flush()
    expect(logged.filter((line) => line.includes('could not be logged'))).toHaveLength(1)
    store.mockRestore()
    clock.ms += 10_000
    await log.flush()
    const rows = await written()
    expect(rows).toHaveLength(10)
    expect(logged.at(-1)).toContain('Requests are logged again.')
    // Followers have read past the time at which they ended.
    expect(rows[0]).toMatchObject({ timeMs: clock.ms - 600, fields: { ended_ms: clock.ms - 10_500 } })
  })

  it('the newest 2,000 are kept, and the others counted', async () => {
    const store = away()
    const projects = Array.from({ length: 100 }, () => newId('project', 1))
    for (let second = 0; second < 30; second += 1) {
      for (const each of projects) answer({ projectId: each, path: `/${second}` })
      clock.ms += 1_000
      await log.flush()
    }
    store.mockRestore()
    await log.close()
    const rows = await written()
    const lines = rows.filter((row) => !isNumber(row))
    expect(lines.length).toBeGreaterThan(1_400)
    expect(lines.length).toBeLessThanOrEqual(2_000)
    expect(lines.at(-1)?.message).toBe('GET /29 200')
    expect(standsFor(rows)).toBe(3_000)
  })

  it('a stop logs that the last ones are lost, and ends', async () => {
    away()
    answerMany(3)
    await log.close()
    expect(logged.at(-1)).toContain('The last requests are not in the log.')
    expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ lines: 3 })
  })
})

it('a team that was deleted meanwhile does not prevent other teams’ lines', async () => {
  const gone = await newTeam(node)
  answer({ teamId: gone.id })
  answer({ teamId: 'team_unknown' })
  answer()
  expect(await gone.owner('DELETE', `/v1/teams/${gone.id}`)).toMatchObject({ status: 200 })
  await log.flush()
  expect(logged).toEqual([])
  expect(await written()).toHaveLength(1)
  expect(await written(gone)).toEqual([])
})

it('another team sees none of them', async () => {
  answerMany(100)
  await log.close()
  const stranger = await newTeam(node)
  for (const query of [
    '',
    `&project=${projectId}`,
    `&deployment=${deploymentId}`,
    '&q=about',
    '&level=info',
  ]) {
    const { body } = await stranger.owner('GET', `/v1/logs?kind=request${query}`)
    expect(body.data).toEqual([])
  }
})

it('writes and queries nothing when there are no requests', async () => {
  const execute = vi.spyOn(node.installation.store.db, 'execute')
  await log.flush()
  await log.close()
  expect(execute).not.toHaveBeenCalled()
})
