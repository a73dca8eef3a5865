import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newToken } from '../../src/auth/token.ts'
import { version } from '../../src/version.ts'
import { type Answer, apiOf } from '../support/api.ts'
import { startTestNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const database = process.env.TEST_ON ? inject('database') : undefined

describe.runIf(database)('while PostgreSQL is away', () => {
  let proxy: TcpProxy
  let node: TestNode
  let team: TestTeam
  let project: string
  let deployment: string

  beforeAll(async () => {
    const url = new URL(database ?? '')
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    node = await startTestNode({ DATABASE_URL: url.href })
    team = await newTeam(node)
    project = unique('site')
    await team.owner('PUT', `/v1/projects/${project}`)
    const files = [{ path: 'a', content: 'a' }]
    deployment = (await team.owner('POST', '/v1/deployments', { project, files })).body.id
    await proxy.cut()
    // postgres.js leaves a query without an answer that it begins between the error and the close of its connection.
    while ((await apiOf(node)('GET', '/readyz')).status !== 503);
  })

  afterAll(async () => {
    await proxy.restore()
    await node.stop()
    await proxy.cut()
  })

  function expectUnavailable({ status, headers, body }: Answer): void {
    const told = body.error?.data ?? body
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(told).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'store_unavailable' })
    expect(told.request_id).toBe(headers.get('x-request-id'))
    expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres|select |insert |\bat \/|svc_test/i)
    expect(JSON.stringify(body)).not.toContain(String(proxy.port))
  }

  it.concurrent.each<[string, () => Promise<Answer>]>([
    ['a read', () => team.owner('GET', '/v1/projects')],
    ['a read of one', () => team.owner('GET', `/v1/deployments/${deployment}`)],
    ['a read that waits', () => team.owner('GET', `/v1/deployments/${deployment}?wait_s=20`)],
    ['a write', () => team.owner('PUT', `/v1/projects/${unique('site')}`, { spa: true })],
    [
      'a deployment',
      () => team.owner('POST', '/v1/deployments', { project, files: [{ path: 'a', content: 'b' }] }),
    ],
    ['a promotion', () => team.owner('POST', `/v1/deployments/${deployment}/promote`)],
    ['an RPC query', () => team.owner('GET', '/trpc/projects.list')],
    ['an RPC mutation', () => team.owner('POST', '/trpc/projects.put', { project })],
  ])('503 store_unavailable with Retry-After, and nothing of what is inside: %s', async (_what, call) => {
    const startMs = performance.now()
    expectUnavailable(await call())
    expect(performance.now() - startMs).toBeLessThan(5_000)
  })

  it('503 for a key that was never seen, not 401', async () => {
    expectUnavailable(await apiOf(node, newToken())('GET', '/v1/projects'))
  })

  it('401 and 404 where no look-up is needed', async () => {
    expect((await apiOf(node)('GET', '/v1/projects')).status).toBe(401)
    expect((await apiOf(node)('GET', '/nothing')).status).toBe(404)
  })

  it('503 at /readyz, 200 at /healthz', async () => {
    const ready = await apiOf(node)('GET', '/readyz')
    expect({ status: ready.status, body: ready.body }).toEqual({
      status: 503,
      body: {
        ready: false,
        listening: true,
        database: false,
        blobs: true,
        limits: 'memory',
        degraded: [],
        stopping: false,
        version,
      },
    })
    expect((await apiOf(node)('GET', '/healthz')).status).toBe(200)
  })

  it('the log tells the operator why, without values and without the key', () => {
    const errors = node.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify(errors)).toContain('ECONNREFUSED')
    expect(JSON.stringify(errors)).not.toContain(team.ownerKey.slice(10))
    expect(JSON.stringify(errors)).not.toContain(team.id)
  })

  it('reads and writes work again within 5 s after it is back, and what was acknowledged is there', async () => {
    await proxy.restore()
    const startMs = performance.now()
    let status = 503
    while (status === 503) status = (await team.owner('PUT', `/v1/projects/${project}`, { spa: true })).status
    expect(status).toBe(200)
    expect(performance.now() - startMs).toBeLessThan(5_000)
    expect((await team.owner('GET', `/v1/deployments/${deployment}`)).body.id).toBe(deployment)
    await expect.poll(async () => (await apiOf(node)('GET', '/readyz')).status, { timeout: 5_000 }).toBe(200)
  })
})
