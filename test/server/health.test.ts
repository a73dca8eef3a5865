import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { version } from '../../src/version.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam } from '../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const ask = (path: string, method = 'GET') => fetch(new URL(path, node.apiUrl), { method })

/** Takes away the directory into which blobs are written, until the test ends. */
async function takeBlobsAway(): Promise<void> {
  const directory = join(node.settings.SVC_DATA_DIR, 'blobs', 'incoming')
  await rename(directory, `${directory}-away`)
  onTestFinished(() => rename(`${directory}-away`, directory))
}

describe('/healthz', () => {
  it('200, for anybody', async () => {
    const response = await ask('/healthz')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it('200 too while blobs cannot be written: a restart would not help', async () => {
    await takeBlobsAway()
    expect((await ask('/healthz')).status).toBe(200)
  })

  it('takes no parameters amiss, as probes send them', async () => {
    expect((await ask('/healthz?a=b&a=c')).status).toBe(200)
    expect((await ask('/healthz', 'HEAD')).status).toBe(200)
  })
})

const healthy = {
  ready: true,
  listening: true,
  database: true,
  blobs: true,
  limits: 'memory',
  degraded: [],
  stopping: false,
  version,
}

/** What the node says once it has looked at its stores again, which it does each second. */
const becomes = (status: number) =>
  vi.waitUntil(
    async () => {
      const response = await ask('/readyz')
      return response.status === status && response
    },
    { timeout: 10_000, interval: 100 },
  )

describe('/readyz', () => {
  it('200 when every store answers, at both ports that are asked for it', async () => {
    const response = await becomes(200)
    expect(await response.json()).toEqual(healthy)
    const internal = await fetch(`http://127.0.0.1:${node.internalPort}/readyz`)
    expect({ status: internal.status, body: await internal.json() }).toEqual({ status: 200, body: healthy })
    expect((await fetch(`http://127.0.0.1:${node.internalPort}/healthz`)).status).toBe(200)
  })

  it('503, and which one it is, when blobs cannot be written', async () => {
    await takeBlobsAway()
    const response = await becomes(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({ ...healthy, ready: false, blobs: false })
    const internal = await fetch(`http://127.0.0.1:${node.internalPort}/readyz`)
    expect(internal.status).toBe(503)
  })

  it('200 again soon after they can', async () => {
    await becomes(200)
  })
})

it.runIf(process.env.TEST_ON)('503 at /readyz while look-ups have to wait', async () => {
  const { lookUps } = node.installation.store
  // A query begins when somebody waits for it.
  const slow = lookUps.execute(sql`select pg_sleep(4.5)`).then(() => {})
  const response = await becomes(503)
  expect(await response.json()).toEqual({ ...healthy, ready: false, database: false })
  await slow
  await becomes(200)
})

it('503 store_unavailable for what needs the blobs meanwhile, and the rest goes on', async () => {
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
