/** How the client waits for a busy server: what is repeated, after how long, and when it gives up. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createTRPCClient, httpLink, isTRPCClientError } from '@trpc/client'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type AppRouter, createClient } from '../../../src/api/client/index.ts'
import { createRetryLink, type RetryOptions } from '../../../src/api/client/retry-link.ts'
import { refusingForeign } from '../../../src/api/client/whole-fetch.ts'

type Sent = { path: string; key: string | null }

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const done = () => json(200, { result: { data: { id: 'done' } } })

const refused = (status: number, data: object, headers: Record<string, string> = {}) =>
  json(status, { error: { code: -32_600, message: 'no', data: { httpStatus: status, ...data } } }, headers)

const limited = (ms: number) => refused(429, { reason: 'rate_limited', retry_after_ms: ms })
const away = () => refused(503, { reason: 'store_unavailable' }, { 'retry-after': '1' })

function broken(code: string): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** Sends requests to a server that responds with one of `answers` after the other, and then with success. */
function answering(...answers: (() => Response)[]) {
  const sent: Sent[] = []
  const rest = answers.values()
  const fetch = async (
    address: URL | RequestInit | string,
    init: { headers?: ConstructorParameters<typeof Headers>[0] } = {},
  ) => {
    const path = new URL(String(address)).pathname.replace('/trpc/', '')
    sent.push({ path, key: new Headers(init.headers).get('idempotency-key') })
    return (rest.next().value ?? done)()
  }
  return { sent, fetch }
}

/** A client whose waits take no time, and the milliseconds of each; `random` replaces chance. */
function clientOf(fetch: ReturnType<typeof answering>['fetch'], options: RetryOptions = {}, random = 0) {
  const waits: number[] = []
  let nowMs = 0
  const later = (work: () => void, ms: number) => {
    waits.push(ms)
    let isCanceled = false
    setImmediate(() => {
      nowMs += ms
      if (!isCanceled) work()
    })
    return () => {
      isCanceled = true
    }
  }
  const link = createRetryLink(options, { nowMs: () => nowMs, random: () => random, later })
  const headers = ({ op }: { op: { context: Record<string, unknown> } }) => ({
    ...(op.context.idempotencyKey !== undefined && { 'idempotency-key': String(op.context.idempotencyKey) }),
  })
  const client = createTRPCClient<AppRouter>({
    links: [link, httpLink({ url: 'http://localhost/trpc', fetch: refusingForeign(fetch), headers })],
  })
  return { client, waits }
}

async function reasonOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isTRPCClientError<AppRouter>(error)) throw new Error('The call did not fail.', { cause: error })
  return error.data?.reason ?? error.message
}

const files = [{ path: 'a', content: 'a' }]

it('waits as long as the server says, and never less', async () => {
  const { fetch, sent } = answering(
    () => limited(3_000),
    () => limited(100),
  )
  const { client, waits } = clientOf(fetch)
  await client.projects.list.query({})
  expect(sent).toHaveLength(3)
  expect(waits).toEqual([3_000, 250])
})

it('spreads the retries of calls that were refused together', async () => {
  const [early, late] = await Promise.all(
    [0, 1].map(async (random) => {
      const { client, waits } = clientOf(answering(() => limited(4_000)).fetch, {}, random)
      await client.projects.list.query({})
      return waits[0]
    }),
  )
  expect([early, late]).toEqual([4_000, 5_000])
})

it.each([
  ['seconds', '2', 2_000],
  ['a date', new Date(Date.now() + 3_600_000).toUTCString(), undefined],
])('reads Retry-After of a proxy that responds with a page: %s', async (_what, after, waited) => {
  const page = () => new Response('<h1>Busy', { status: 503, headers: { 'retry-after': after } })
  const { fetch, sent } = answering(page)
  const { client, waits } = clientOf(fetch)
  const call = client.projects.list.query({})
  if (waited === undefined) expect(await reasonOf(call)).toMatch(/unavailable \(status 503\)/)
  else await call
  expect(waits).toEqual(waited === undefined ? [] : [waited])
  expect(sent).toHaveLength(waits.length + 1)
})

const page = (status: number) => () =>
  new Response('<h1>', { status, headers: { 'content-type': 'text/html' } })

it.each([
  ['a page', page(502)],
  ['a page', page(504)],
  ['JSON of its own', () => json(502, { message: 'Bad Gateway' })],
  ['JSON of its own', () => json(504, { message: 'Gateway Timeout' })],
])(
  'repeats what a proxy answers with %s while the server is away, up to its limit',
  async (_what, answer) => {
    const { fetch, sent } = answering(answer, answer)
    await clientOf(fetch).client.projects.list.query({})
    expect(sent).toHaveLength(3)
    const always = answering(...Array.from({ length: 20 }, () => answer))
    await expect(clientOf(always.fetch).client.projects.list.query({})).rejects.toThrow()
    expect(always.sent).toHaveLength(4)
  },
)

it('repeats after a 502 only what may be repeated', async () => {
  const { fetch, sent } = answering(page(502), page(502))
  await expect(clientOf(fetch).client.teams.put.mutate({ team: 'acme', name: 'Acme' })).rejects.toThrow(
    /unavailable \(status 502\)/,
  )
  expect(sent).toHaveLength(1)
  await clientOf(fetch).client.deployments.create.mutate({ project: 'web', files })
  expect(sent).toHaveLength(3)
  expect(sent[1]?.key).toBe(sent[2]?.key)
})

it.each([403, 413])('names the status of a page that is not the API’s: %i', async (status) => {
  const { fetch, sent } = answering(page(status))
  const call = clientOf(fetch).client.projects.list.query({})
  expect(await reasonOf(call)).toBe(
    `The server answered ${status} with a page that is no svc API's: is something in front of it?`,
  )
  expect(sent).toHaveLength(1)
})

it('repeats a call whose response broke off', async () => {
  let count = 0
  const server = createServer((_request, response) => {
    count += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    if (count > 1) response.end(JSON.stringify({ result: { data: { id: 'done' } } }))
    else response.write('{', () => response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const client = createClient({ url: `http://127.0.0.1:${port}`, token: 'svc_secret' })
  expect(await client.deployments.create.mutate({ project: 'web', files })).toEqual({ id: 'done' })
  expect(count).toBe(2)
})

it('gives up after seven attempts, with the server’s last response', async () => {
  const { fetch, sent } = answering(...Array.from({ length: 20 }, () => away))
  const { client, waits } = clientOf(fetch)
  expect(await reasonOf(client.projects.list.query({}))).toBe('store_unavailable')
  expect(sent).toHaveLength(7)
  expect(waits).toEqual([1_000, 1_000, 1_000, 1_000, 2_000, 4_000])
})

it('gives up before its waits would exceed a minute in total', async () => {
  const { fetch, sent } = answering(
    () => limited(40_000),
    () => limited(40_000),
  )
  const { client, waits } = clientOf(fetch)
  expect(await reasonOf(client.projects.list.query({}))).toBe('rate_limited')
  expect(waits).toEqual([40_000])
  expect(sent).toHaveLength(2)
})

it('gives a POST one Idempotency-Key for all its attempts, and the next call another', async () => {
  const { fetch, sent } = answering(
    away,
    () => broken('ECONNRESET'),
    () => refused(409, { reason: 'idempotency_in_progress' }),
  )
  const { client } = clientOf(fetch)
  await client.deployments.create.mutate({ project: 'web', files })
  await client.deployments.create.mutate({ project: 'web', files })
  const keys = sent.map(({ key }) => key)
  expect(keys).toHaveLength(5)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[0])
})

it('keeps a key that the caller sets', async () => {
  const { fetch, sent } = answering(away)
  const { client } = clientOf(fetch)
  const context = { idempotencyKey: 'mine' }
  await client.deployments.create.mutate({ project: 'web', files }, { context })
  expect(sent.map(({ key }) => key)).toEqual(['mine', 'mine'])
})

it('repeats a call that might take effect twice only if it was refused before it began', async () => {
  const refusals = answering(() => limited(10))
  await clientOf(refusals.fetch).client.webhooks.redeliver.mutate({ webhook: 'a', delivery: 'b' })
  expect(refusals.sent).toEqual([
    { path: 'webhooks.redeliver', key: null },
    { path: 'webhooks.redeliver', key: null },
  ])
  const faults = answering(away)
  const { client } = clientOf(faults.fetch)
  expect(await reasonOf(client.teams.put.mutate({ team: 'acme' }))).toBe('store_unavailable')
  expect(faults.sent).toHaveLength(1)
})

it('repeats a PUT and a DELETE, without a key', async () => {
  const { fetch, sent } = answering(away, done, () => broken('UND_ERR_SOCKET'), done)
  const { client } = clientOf(fetch)
  await client.projects.put.mutate({ project: 'web' })
  await client.projects.delete.mutate({ project: 'web' })
  expect(sent.map(({ path, key }) => `${path} ${key}`)).toEqual([
    'projects.put null',
    'projects.put null',
    'projects.delete null',
    'projects.delete null',
  ])
})

it('quickly reports an unreachable server, unless it was reachable before', async () => {
  const never = answering(() => broken('ECONNREFUSED'))
  expect(await reasonOf(clientOf(never.fetch).client.projects.list.query({}))).toBe('fetch failed')
  expect(never.sent).toHaveLength(1)
  const restarting = answering(done, () => broken('ECONNREFUSED'))
  const { client } = clientOf(restarting.fetch)
  await client.projects.list.query({})
  await client.projects.list.query({})
  expect(restarting.sent).toHaveLength(3)
})

it('does not wait for errors that waiting does not resolve', async () => {
  const { fetch, sent } = answering(() => refused(404, { reason: 'project_not_found' }))
  const { client } = clientOf(fetch)
  expect(await reasonOf(client.projects.get.query({ project: 'a' }))).toBe('project_not_found')
  expect(sent).toHaveLength(1)
})

it('reports once that calls wait, and why', async () => {
  const reported: [number, string][] = []
  const { fetch } = answering(
    () => limited(2_000),
    () => limited(2_000),
  )
  const { client } = clientOf(fetch, { onWait: (ms, why) => reported.push([ms, why]) })
  await Promise.all([client.projects.list.query({}), client.domains.list.query({})])
  expect(reported).toEqual([[2_000, 'too many requests']])
})

it('reports a full disk as that, since the server is there', async () => {
  const { fetch } = answering(() => refused(503, { reason: 'disk_full', retry_after_ms: 5_000 }))
  const reported: [number, string][] = []
  const { client } = clientOf(fetch, { onWait: (ms, why) => reported.push([ms, why]) })
  await client.projects.get.query({ project: 'web' })
  expect(reported).toEqual([[5_000, 'the disk of the server is full']])
})

it.each(['the client', 'the call'])('ends a wait when the signal of %s aborts', async (whose) => {
  const controller = new AbortController()
  const { signal } = controller
  const onWait = () => controller.abort(new Error('stopped by hand'))
  const { fetch, sent } = answering(() => limited(50_000))
  const { client } = clientOf(fetch, { onWait, ...(whose === 'the client' && { signal }) })
  const call = client.projects.list.query({}, whose === 'the call' ? { signal } : {})
  expect(await reasonOf(call)).toBe('stopped by hand')
  expect(sent).toHaveLength(1)
})

it('makes a call once if its context says so', async () => {
  const { fetch, sent } = answering(away)
  const { client } = clientOf(fetch)
  const context = { retry: false }
  expect(await reasonOf(client.projects.list.query({}, { context }))).toBe('store_unavailable')
  expect(sent).toHaveLength(1)
})

it('makes each call once with `retry: false`, and no keys', async () => {
  const { fetch, sent } = answering(() => limited(10), away)
  const client = createClient({ url: 'http://localhost', token: 'svc_a', fetch, retry: false })
  expect(await reasonOf(client.projects.list.query({}))).toBe('rate_limited')
  expect(await reasonOf(client.deployments.create.mutate({ project: 'web', files }))).toBe(
    'store_unavailable',
  )
  expect(sent).toEqual([
    { path: 'projects.list', key: null },
    { path: 'deployments.create', key: null },
  ])
})
