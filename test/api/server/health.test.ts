import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { version } from '../../../src/lib/version.ts'
import { until } from '../../support/eventually.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { ownReadiness } from '../../support/readiness.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const send = (path: string, method = 'GET') => fetch(new URL(path, node.apiUrl), { method })

/** Hides the directory that blobs are written into, until the test ends. */
async function takeBlobsAway(): Promise<void> {
  const directory = join(node.settings.SVC_DATA_DIR, 'blobs', 'incoming')
  await rename(directory, `${directory}-away`)
  onTestFinished(() => rename(`${directory}-away`, directory))
}

describe('/healthz', () => {
  it('200, without a credential', async () => {
    const response = await send('/healthz')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('200 too while blobs cannot be written: a restart would not help', async () => {
    await takeBlobsAway()
    expect((await send('/healthz')).status).toBe(200)
  })

  it('ignores query parameters that probes send', async () => {
    expect((await send('/healthz?a=b&a=c')).status).toBe(200)
    expect((await send('/healthz', 'HEAD')).status).toBe(200)
  })
})

const healthy = {
  ready: true,
  listening: true,
  database: true,
  blobs: true,
  limits: 'memory',
  disk: 'ok',
  degraded: [],
  alerts: [],
  stopping: false,
  version,
}

/** The node's response after its next check of its stores, which it does each second. */
const becomes = (status: number) =>
  until(async () => {
    const response = await send('/readyz')
    return response.status === status && response
  })

describe('/readyz', () => {
  it('200 on both ports when every store answers', async () => {
    const response = await becomes(200)
    expect(ownReadiness(await response.json())).toEqual(healthy)
    const internal = await fetch(`http://127.0.0.1:${node.internalPort}/readyz`)
    const body = ownReadiness(await internal.json())
    expect({ status: internal.status, body }).toEqual({ status: 200, body: healthy })
    expect((await fetch(`http://127.0.0.1:${node.internalPort}/healthz`)).status).toBe(200)
  })

  it('503, and names the store, when blobs cannot be written', async () => {
    await takeBlobsAway()
    const response = await becomes(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(ownReadiness(await response.json())).toEqual({ ...healthy, ready: false, blobs: false })
    const internal = await fetch(`http://127.0.0.1:${node.internalPort}/readyz`)
    expect(internal.status).toBe(503)
  })

  it('200 again soon after they can', async () => {
    await becomes(200)
  })
})

it.runIf(process.env.TEST_ON)('503 at /readyz while look-ups have to wait', { tags: 'long' }, async () => {
  const { lookUps } = node.installation.store
  // A query only runs when it is awaited.
  const slow = lookUps.execute(sql`select pg_sleep(4.5)`).then(() => {})
  const response = await becomes(503)
  expect(ownReadiness(await response.json())).toEqual({ ...healthy, ready: false, database: false })
  await slow
  await becomes(200)
})

it('503 store_unavailable for calls that need the blobs meanwhile, and others work', async () => {
  const team = await newTeam(node)
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const files = [{ path: 'a', content: unique('content') }]
  await takeBlobsAway()
  const { status, headers, body } = await team.owner('POST', '/v1/deployments', { project, files })
  expect({ status, code: body.code, reason: body.reason }).toEqual({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    reason: 'store_unavailable',
  })
  expect(headers.get('retry-after')).toBe('1')
  expect(JSON.stringify(body)).not.toMatch(/ENOENT|incoming|blobs\//)
  expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(200)
  expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
})
