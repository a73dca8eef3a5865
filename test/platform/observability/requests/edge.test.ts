/** Log lines of real requests to sites. */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openInstallation } from '../../../../src/operate/node/installation.ts'
import { logLines } from '../../../../src/stores/db/schema/logs.ts'
import { sendRequest } from '../../../roles/edge/client.ts'
import { startTestNode, type TestNode, unique } from '../../../support/node.ts'
import { isShort } from '../../../support/short.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deploy } from '../../deployments/steps.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode()
})

afterAll(() => node.stop())

beforeEach(async () => {
  team = await newTeam(node)
})

type Line = { message: string; level: string; fields: Record<string, unknown>; deployment: string | null }

/** The lines of requests once there are this many, oldest first. */
async function lines(count: number, query = ''): Promise<Line[]> {
  let found: Line[] = []
  await expect
    .poll(
      async () => {
        const { body } = await team.owner('GET', `/v1/logs?kind=request&limit=100${query}`)
        found = body.data.toReversed()
        return found.length
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(count)
  return found
}

/** Deploys a page and more, and returns a function that requests it. */
async function newSite(fields: Record<string, unknown> = {}, on = node) {
  const deployment = await deploy(team, {
    target: 'production',
    files: [
      { path: 'index.html', content: 'hello' },
      { path: 'about.html', content: 'about' },
      { path: '_redirects', content: '/old /about 301' },
    ],
    ...fields,
  })
  const { host } = new URL(deployment.url)
  const port = Number(new URL(on.sitesUrl).port)
  const get = (path: string, headers = {}, method = 'GET') => sendRequest(port, host, path, headers, method)
  return { deployment, host, get }
}

it('each has a line with its details, without its query', async () => {
  const { deployment, host, get } = await newSite()
  const { headers } = await get('/about?a=b&secret=c')
  await get('/about', { 'if-none-match': headers.etag })
  await get('/', {}, 'HEAD')
  await get('/old?x')
  await get('/gone?y')
  await get('/about', {}, 'POST')
  const found = await lines(6)
  expect(found.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'GET /about 200'],
    ['info', 'GET /about 304'],
    ['info', 'HEAD / 200'],
    ['info', 'GET /old 301'],
    ['warn', 'GET /gone 404'],
    ['warn', 'POST /about 405'],
  ])
  expect(found[0]).toMatchObject({
    project: 'web',
    deployment: deployment.id,
    fields: {
      method: 'GET',
      host: host.split('.')[0],
      path: '/about',
      status: 200,
      bytes: 5,
      duration_ms: expect.any(Number),
      cache: expect.stringMatching(/^(blob|memory)$/),
      address: '127.0.0.0/24',
    },
  })
  expect(found[2]?.fields.bytes).toBe(0)
  expect(found[4]?.fields).toMatchObject({ cache: 'none', status: 404 })
})

it('none contains a secret, whatever the client sent', async () => {
  const { host, get } = await newSite()
  const secret = `${unique('a-secret')}-${'of-a-project'.repeat(3)}`
  const { status } = await team.owner('PUT', '/v1/projects/web', { protection: 'all', bypass_secret: secret })
  expect(status).toBe(200)
  const { headers } = await get(`/?x-svc-bypass=${secret}&token=svc_in_the_query`)
  const [cookie = ''] = headers['set-cookie'] ?? []
  await get('/', { 'x-svc-bypass': secret })
  await get('/', { cookie: `${cookie.split(';')[0]}; session=svc_in_a_cookie` })
  await get('/', { authorization: `Bearer ${team.ownerKey}` })
  await get('/', { referer: 'https://example.com/svc_in_the_referer', 'user-agent': 'svc_in_the_agent' })
  expect((await lines(5)).map(({ message }) => message)).toEqual([
    ...['GET / 303', 'GET / 200', 'GET / 200', 'GET / 200', 'GET / 401'],
  ])
  const { db } = node.installation.store
  const written = JSON.stringify(await db.select().from(logLines).where(eq(logLines.teamId, team.id)))
  expect(written).toContain(host.split('.')[0])
  const [, value = 'no cookie'] = /^svc_bypass=([^;]+)/.exec(cookie) ?? []
  for (const each of [secret, value, team.ownerKey, 'svc_in_', 'x-svc-bypass'])
    expect(written).not.toContain(each)
})

it('no path breaks the log, however long and whatever it contains', async () => {
  const { get } = await newSite()
  await get(`/${'x'.repeat(8_000)}`)
  await get('/%E2%80%AEexe.%F0%9F%98%80')
  await get('/%F0%9F%98%80'.repeat(300))
  const found = await lines(3)
  expect(found.map(({ fields }) => String(fields.path).length)).toEqual([500, 8, 500])
  expect(found[1]?.message).toBe('GET /�exe.😀 404')
})

it('requests without a line are counted, so that none is missing', async () => {
  const { get } = await newSite()
  for (let batch = 0; batch < 15; batch += 1) await Promise.all(Array.from({ length: 20 }, () => get('/')))
  // On a slow machine they are more lines than a page has.
  async function allStandFor(cursor = ''): Promise<number> {
    const { body } = await team.owner('GET', `/v1/logs?kind=request&limit=100${cursor}`)
    const here = body.data.reduce((sum: number, { fields }: Line) => sum + Number(fields.not_logged ?? 1), 0)
    return here + (body.next_cursor === null ? 0 : await allStandFor(`&cursor=${body.next_cursor}`))
  }
  await expect.poll(() => allStandFor(), { timeout: 10_000 }).toBe(300)
  const numbers = (await lines(1, '&q=not logged')).map(({ message }) => message)
  expect(numbers[0]).toMatch(/^\d+ requests not logged: \d+ × 2xx$/)
})

it('can be followed live, and filtered like other lines', async () => {
  const { deployment, get } = await newSite()
  const sinceMs = Date.now() - 1_000
  const follow = (query: string) =>
    team.owner('GET', `/v1/logs?kind=request&order=asc&wait_s=20&since_ms=${sinceMs}${query}`)
  const following = ['', '&project=web', `&deployment=${deployment.id}`, '&level=warn', '&q=gone'].map(follow)
  await sleep(300)
  await get('/gone')
  for (const { body } of await Promise.all(following)) {
    expect(body.data.map(({ message }: Line) => message)).toEqual(['GET /gone 404'])
  }
})

it('a follower sees every request once, in the order of their times', async () => {
  const { get } = await newSite()
  const seen: string[] = []
  let from = ''
  const requests = Array.from({ length: isShort ? 12 : 25 }, (_, index) => `GET /${index} 404`)
  const visiting = (async () => {
    for (const [index] of requests.entries()) {
      await get(`/${index}`)
      await sleep(100)
    }
  })()
  while (seen.length < requests.length) {
    const { body } = await team.owner('GET', `/v1/logs?kind=request&order=asc&wait_s=5${from}`)
    seen.push(...body.data.map(({ message }: Line) => message))
    if (body.data.length === 0) break
    from = `&cursor=${body.next_cursor}`
  }
  await visiting
  expect(seen).toEqual(requests)
}, 30_000)

describe('the address', () => {
  const addressFor = async (forwarded: string, on: TestNode) => {
    const { get } = await newSite({}, on)
    await get('/', { 'x-forwarded-for': forwarded })
    const [line] = await lines(1)
    return line?.fields.address
  }

  it('is that of the connection, whatever a client claims', async () => {
    expect(await addressFor('203.0.113.7', node)).toBe('127.0.0.0/24')
  })

  it('is the one that a trusted proxy reports', async () => {
    const behind = await startTestNode({ SVC_TRUSTED_PROXIES: 'loopback' })
    const shared = team
    team = await newTeam(behind)
    expect(await addressFor('198.51.100.1, 2001:db8:1:2::3', behind)).toBe('2001:db8:1::/48')
    team = shared
    await behind.stop()
  })
})

it('a node that stops has logged all of its requests', async () => {
  const directory = { SVC_DATA_DIR: `${node.settings.SVC_DATA_DIR}-stopped` }
  const first = await startTestNode(directory)
  team = await newTeam(first)
  const { get } = await newSite({}, first)
  for (let batch = 0; batch < 5; batch += 1) await Promise.all(Array.from({ length: 20 }, () => get('/')))
  await first.stop()
  const { store, close } = await openInstallation(first.settings)
  const stored = await store.db
    .select({ fields: logLines.fields })
    .from(logLines)
    .where(and(eq(logLines.teamId, team.id), eq(logLines.kind, 'request')))
  await close()
  expect(stored.reduce((sum, { fields }) => sum + Number(fields.not_logged ?? 1), 0)).toBe(100)
})
