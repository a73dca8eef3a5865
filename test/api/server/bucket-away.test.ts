/**
 * A bucket that is away: calls that need it are refused in time, all others work.
 * @module-tag long
 */

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { byDigest, deploy, upload, visit } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type Answer, apiOf } from '../../support/api.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { ownReadiness } from '../../support/readiness.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** How long any call may take, and everything to work again, in milliseconds. */
const limitMs = 10_000
const recoveryMs = 5_000

let s3: S3Server
let proxy: TcpProxy
let node: TestNode
let team: TestTeam
let project: string

beforeAll(async () => {
  s3 = await startS3()
  const { endpoint } = s3.address
  proxy = await startTcpProxy(endpoint.hostname, Number(endpoint.port))
  node = await startOwnNode({ ...settingsOf(s3, ''), SVC_S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` })
  team = await newTeam(node)
  project = unique('site')
})

async function comeBack(): Promise<void> {
  s3.fail(() => undefined)
  proxy.resume()
  await proxy.restore()
}

afterEach(comeBack)

afterAll(async () => {
  await node.stop()
  await proxy.cut()
  await s3.close()
})

it.each<[string, () => Promise<void> | void]>([
  ['refuses connections', () => proxy.cut()],
  ['accepts connections, and is silent', () => proxy.hang()],
  ['takes requests, and is silent', () => s3.fail(() => ({ hang: true }))],
  ['answers 500', () => s3.fail(() => ({ status: 500 }))],
])('503 in time for what needs a bucket that %s, 200 for the rest', async (_, lose) => {
  const { url } = await deploy(team, { project, target: 'production' })
  expect((await visit(url)).body).toBe('hello')
  const there = unique('there')
  const content = unique('missing')
  const missing = { project, files: [byDigest('b', content)] }
  const { body } = await team.owner('POST', '/v1/deployments', missing)
  const uploadUrl: string = body.missing[0].upload_url
  await lose()
  const startMs = performance.now()
  const inline = (text: string): Promise<Answer> =>
    team.owner('POST', '/v1/deployments', { project, files: [{ path: 'index.html', content: text }] })
  const [sent, made] = await Promise.all([upload(uploadUrl, content), inline(there)])
  expect(performance.now() - startMs).toBeLessThan(limitMs)
  expect(sent.status).toBe(503)
  expect(made).toMatchObject({ status: 503, body: { reason: 'store_unavailable' } })
  expect(Number(made.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await team.owner('GET', '/v1/projects')).status).toBe(200)
  expect((await visit(url)).body).toBe('hello')
  await expect
    .poll(async () => ownReadiness((await apiOf(node)('GET', '/readyz')).body), { timeout: 15_000 })
    .toMatchObject({
      ready: true,
      blobs: false,
      degraded: ['blobs'],
    })
  expect((await apiOf(node)('GET', '/healthz')).status).toBe(200)
  await comeBack()
  const backMs = performance.now()
  await expect.poll(async () => (await inline(there)).status, { timeout: recoveryMs }).toBe(200)
  await expect
    .poll(async () => (await apiOf(node)('GET', '/readyz')).status, { timeout: recoveryMs })
    .toBe(200)
  expect(performance.now() - backMs).toBeLessThan(recoveryMs)
})
