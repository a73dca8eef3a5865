/**
 * What a node answers while PostgreSQL is away, however that is, and that everything works again once it is
 * back.
 */

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { version } from '../../../src/lib/version.ts'
import { newToken } from '../../../src/platform/callers/token.ts'
import { byDigest, insertDeployment, upload } from '../../platform/deployments/steps.ts'
import { type Answer, apiOf } from '../../support/api.ts'
import { newBrowser } from '../../support/browser.ts'
import { openEvents } from '../../support/event-stream.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newPerson, password } from '../../support/person.ts'
import { ownReadiness } from '../../support/readiness.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** Takes PostgreSQL away; and what the log says of it. */
type Loss = { what: string; lose: (proxy: TcpProxy) => Promise<void> | void; detail: string }

/** How long any call may take meanwhile, and everything to work again, in milliseconds. */
const limitMs = 8_000
const recoveryMs = 5_000

/** Declares the tests. */
export function describeWhileAway({ what, lose, detail }: Loss): void {
  const database = process.env.TEST_ON ? inject('database') : undefined
  describe.runIf(database)(`while PostgreSQL ${what}`, () => declare({ database, lose, detail }))
}

function declare({ database, lose, detail }: Omit<Loss, 'what'> & { database: string | undefined }): void {
  let proxy: TcpProxy
  let node: TestNode
  let team: TestTeam
  let project: string
  let deployment: string
  let queued: string
  let uploadUrl: string
  let email: string
  const underWay: Promise<Answer>[] = []
  let lostMs: number

  beforeAll(async () => {
    const url = new URL(database ?? '')
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    // No worker, so that the queued deployment stays.
    node = await startTestNode({ DATABASE_URL: url.href, SVC_ROLES: 'api,edge' })
    team = await newTeam(node)
    project = unique('site')
    await team.owner('PUT', `/v1/projects/${project}`)
    const files = [{ path: 'a', content: 'a' }]
    deployment = (await team.owner('POST', '/v1/deployments', { project, files })).body.id
    queued = await insertDeployment(node, team)
    const missing = { project, files: [byDigest('b', 'missing')] }
    uploadUrl = (await team.owner('POST', '/v1/deployments', missing)).body.missing[0].upload_url
    email = (await newPerson(node)).email
    underWay.push(
      team.owner('GET', `/v1/deployments/${queued}?wait_s=30`),
      team.owner('GET', '/v1/logs?kind=build&order=asc&wait_s=30'),
    )
    await lose(proxy)
    lostMs = performance.now()
    while ((await apiOf(node)('GET', '/readyz')).status !== 503);
  })

  afterAll(async () => {
    proxy.resume()
    await proxy.restore()
    await node.stop()
    await proxy.cut()
  })

  function expectUnavailable({ status, headers, body }: Answer): void {
    const refusal = body.error?.data ?? body
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'store_unavailable' })
    expect(refusal.request_id).toBe(headers.get('x-request-id'))
    expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres|select |insert |\bat \/|svc_test/i)
    expect(JSON.stringify(body)).not.toContain(String(proxy.port))
  }

  it('calls that wait already end as 503', async () => {
    for (const answer of await Promise.all(underWay)) expectUnavailable(answer)
    expect(performance.now() - lostMs).toBeLessThan(limitMs)
  })

  it.concurrent.each<[string, () => Promise<Answer>]>([
    ['a read', () => team.owner('GET', '/v1/projects')],
    ['a read of one row', () => team.owner('GET', `/v1/deployments/${deployment}`)],
    ['a read that waits', () => team.owner('GET', `/v1/deployments/${deployment}?wait_s=20`)],
    ['a log that is followed', () => team.owner('GET', '/v1/logs?order=asc&wait_s=20')],
    ['a write', () => team.owner('PUT', `/v1/projects/${unique('site')}`, { spa: true })],
    [
      'a deployment',
      () => team.owner('POST', '/v1/deployments', { project, files: [{ path: 'a', content: 'b' }] }),
    ],
    ['a promotion', () => team.owner('POST', `/v1/deployments/${deployment}/promote`)],
    ['an RPC query', () => team.owner('GET', '/trpc/projects.list')],
    ['an RPC mutation', () => team.owner('POST', '/trpc/projects.put', { project })],
    [
      'sign-in',
      () => apiOf(node)('POST', '/auth/sign-in/email', { email, password }, { origin: node.apiUrl }),
    ],
  ])('503 store_unavailable with Retry-After, and no internal details: %s', async (_what, call) => {
    const startMs = performance.now()
    expectUnavailable(await call())
    expect(performance.now() - startMs).toBeLessThan(limitMs)
  })

  it('503 for an upload, an event stream, each call of a batch, and the sign-in form', async () => {
    const startMs = performance.now()
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }))
    const [sent, stream, batch, page] = await Promise.all([
      upload(uploadUrl, 'missing'),
      openEvents(node, { authorization: `Bearer ${team.ownerKey}` }),
      team.owner('GET', `/trpc/projects.list,overview.get?batch=1&input=${input}`),
      newBrowser().submit(`${node.apiUrl}/auth/sign-in`, { email, password }),
    ])
    expect(performance.now() - startMs).toBeLessThan(limitMs)
    expect(sent).toMatchObject({ status: 503, body: { reason: 'store_unavailable' } })
    expect(stream.status).toBe(503)
    expectUnavailable(batch)
    expect(page.status).toBe(503)
    expect(page.text).toContain('The database is unavailable')
  })

  it('503 for a key that is not cached, not 401', async () => {
    expectUnavailable(await apiOf(node, newToken())('GET', '/v1/projects'))
  })

  it('401 and 404 where no look-up is needed', async () => {
    expect((await apiOf(node)('GET', '/v1/projects')).status).toBe(401)
    expect((await apiOf(node)('GET', '/nothing')).status).toBe(404)
  })

  it('503 at /readyz, 200 at /healthz', async () => {
    const ready = await apiOf(node)('GET', '/readyz')
    expect({ status: ready.status, body: ownReadiness(ready.body) }).toEqual({
      status: 503,
      body: {
        ready: false,
        disk: 'ok',
        listening: true,
        database: false,
        blobs: true,
        limits: 'memory',
        degraded: [],
        alerts: [],
        stopping: false,
        version,
      },
    })
    expect((await apiOf(node)('GET', '/healthz')).status).toBe(200)
  })

  it('the log has the details for the operator, without values and without the key', () => {
    const errors = node.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify(errors)).toContain(detail)
    expect(JSON.stringify(errors)).not.toContain(team.ownerKey.slice(10))
    expect(JSON.stringify(errors)).not.toContain(team.id)
  })

  it('reads and writes work within 5 s after it is back, and acknowledged changes are there', async () => {
    proxy.resume()
    await proxy.restore()
    const startMs = performance.now()
    let status = 503
    while (status === 503) status = (await team.owner('PUT', `/v1/projects/${project}`, { spa: true })).status
    expect(status).toBe(200)
    expect(performance.now() - startMs).toBeLessThan(recoveryMs)
    expect((await team.owner('GET', `/v1/deployments/${deployment}`)).body.id).toBe(deployment)
    await expect.poll(async () => (await apiOf(node)('GET', '/readyz')).status, { timeout: 5_000 }).toBe(200)
  })
}
