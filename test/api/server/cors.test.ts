import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const origin = 'https://app.example.com'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startTestNode({ SVC_CORS_ORIGINS: `http://localhost:5173, ${origin}/` })
  team = await newTeam(node)
})

afterAll(() => node.stop())

type Sent = { to?: TestNode; method?: string; headers?: Record<string, string>; body?: string }

const send = (path: string, { to = node, ...init }: Sent = {}) => fetch(new URL(path, to.apiUrl), init)

/** The preflight request of a browser for such a request from a page at `from`. */
const preflight = (path: string, method: string, from = origin, to = node) =>
  send(path, {
    to,
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

async function uploadPath(): Promise<string> {
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const sha256 = createHash('sha256').update('content').digest('hex')
  const files = [{ path: 'a', sha256, size: 7 }]
  const { body } = await team.owner('POST', '/v1/deployments', { project, files })
  const { pathname, search } = new URL(body.missing[0].upload_url)
  return pathname + search
}

describe('a page of an allowed origin', () => {
  it.each<[string, () => Promise<string> | string, string]>([
    ['REST', () => '/v1/projects/hello', 'PUT'],
    ['RPC', () => '/trpc/projects.put', 'POST'],
    ['uploads', uploadPath, 'PUT'],
  ])('passes the preflight, without a credential: %s', async (_name, path, method) => {
    const answer = await preflight(await path(), method)
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'idempotency-key',
        'x-svc-team',
        'x-request-id',
      ]),
    )
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it.each<[string, string, Sent, number]>([
    ['REST', '/v1/projects', {}, 200],
    ['RPC', '/trpc/projects.list?input={}', {}, 200],
    [
      'RPC in batches',
      `/trpc/projects.list,projects.list?batch=1&input=${encodeURIComponent('{"0":{},"1":{}}')}`,
      {},
      200,
    ],
    ['no credential', '/v1/projects', { headers: { authorization: 'Bearer x' } }, 401],
    ['a wrong method', '/v1/projects', { method: 'PUT' }, 405],
    ['nothing there', '/nothing', {}, 404],
    ['a wrong RPC', '/trpc/nothing', {}, 404],
    ['invalid input', '/v1/projects/a', { method: 'PUT', body: '{' }, 400],
    ['an upload without a signature', '/uploads/a/b/1', { method: 'PUT', body: 'a' }, 400],
  ])('may read the response: %s', async (_name, path, sent, status) => {
    const headers = { origin, authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/json' }
    const answer = await send(path, { ...sent, headers: { ...headers, ...sent.headers } })
    if (!path.startsWith('/uploads')) expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toBe(
      'x-request-id, retry-after, ratelimit, ratelimit-policy',
    )
    expect(answer.headers.get('vary')?.split(', ')).toContain('origin')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })
})

describe('a page of any other origin', () => {
  it.each(['https://evil.example', 'http://app.example.com', 'https://app.example.com.evil.example', 'null'])(
    'is not permitted: %s',
    async (from) => {
      const allowed = await preflight('/v1/projects', 'PUT', from)
      expect(allowed.status).toBe(405)
      expect((await preflight('/nothing', 'PUT', from)).status).toBe(404)
      const answer = await send('/v1/projects', { headers: { origin: from } })
      for (const { headers } of [allowed, answer]) {
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
        expect(headers.get('vary')?.split(', ')).toContain('origin')
      }
    },
  )
})

it('OPTIONS that is not a preflight is a 405, also from an allowed origin', async () => {
  expect((await send('/v1/projects', { method: 'OPTIONS', headers: { origin } })).status).toBe(405)
})

it('without the setting no origin is permitted, and no response has Vary', async () => {
  const to = await sharedNode()
  expect((await preflight('/v1/projects', 'PUT', origin, to)).status).toBe(405)
  const answer = await send('/healthz', { to, headers: { origin } })
  expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  expect(answer.headers.has('vary')).toBe(false)
})

it('with * every origin is permitted, still without cookies', async () => {
  const to = await startTestNode({ SVC_CORS_ORIGINS: '*' })
  try {
    const allowed = await preflight('/v1/projects', 'PUT', 'https://any.example', to)
    expect(allowed.status).toBe(204)
    const answer = await send('/v1/projects', { to, headers: { origin: 'https://any.example' } })
    for (const { headers } of [allowed, answer]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  } finally {
    await to.stop()
  }
})
