/** The API's series at `/metrics`, over real sockets. */
import { randomUUID } from 'node:crypto'
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppRouter, createClient } from '../../../../src/api/client/index.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { apiOf } from '../../../support/api.ts'
import type { TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { exchange } from '../../edge/client.ts'
import { growth, scrape } from './scrape.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
  // The document, which every response is checked against, is fetched once.
  await team.owner('GET', '/v1/projects')
})

afterAll(() => node.stop())

/** The counts of requests that `work` adds, by `operation status`. */
async function counted(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape(node)
  await work()
  const after = await scrape(node)
  const grown = growth(before, after)
  const samples = after.families.get('svc_api_requests_total')?.samples ?? []
  const counts = samples.map(({ name, labels }) => [
    `${labels.operation} ${labels.status}`,
    grown(name, labels),
  ])
  return Object.fromEntries(counts.filter(([, count]) => count !== 0))
}

const none = (status: number, count = 1) => ({ [`none ${status}`]: count })
const trpc = () => createClient({ url: node.apiUrl, token: team.ownerKey })

describe('requests by operation and status', () => {
  it('REST: successes and refusals, by procedure', async () => {
    const counts = await counted(async () => {
      await team.owner('PUT', '/v1/projects/one')
      for (let i = 0; i < 3; i += 1) await team.owner('GET', '/v1/projects/one')
      await team.owner('GET', '/v1/projects/missing')
      await team.owner('PUT', '/v1/projects/one', { spa: 'yes' })
      await apiOf(node)('GET', '/v1/projects')
    })
    expect(counts).toEqual({
      'projects.put 200': 1,
      'projects.get 200': 3,
      'projects.get 404': 1,
      'projects.put 400': 1,
      'projects.list 401': 1,
    })
  })

  it('unknown targets: 404, 405, and malformed HTTP', async () => {
    const { port } = new URL(node.apiUrl)
    const counts = await counted(async () => {
      await team.owner('GET', '/v2/projects')
      await team.owner('PATCH', '/v1/projects')
      await exchange(Number(port), 'GET /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await exchange(Number(port), 'nonsense\r\n\r\n')
    })
    expect(counts).toEqual({ 'none 404': 1, 'none 405': 1, 'none 400': 2 })
  })

  it('RPC: one call', async () => {
    const counts = await counted(async () => {
      await team.owner('GET', '/trpc/projects.list?input=%7B%7D')
      await team.owner('GET', '/trpc/projects.get?input=%7B%22project%22%3A%22missing%22%7D')
      await team.owner('GET', '/trpc/no.such')
      await team.owner('GET', '/trpc/projects.put')
    })
    expect(counts).toEqual({
      'projects.list 200': 1,
      'projects.get 404': 1,
      'none 404': 1,
      'projects.put 405': 1,
    })
  })

  it('RPC: each call of a batch', async () => {
    const { projects, tokens } = trpc()
    const calls = () =>
      Promise.allSettled([
        projects.list.query({}),
        projects.list.query({}),
        projects.get.query({ project: 'missing' }),
        tokens.listKeys.query({}),
      ])
    expect(await counted(calls)).toEqual({
      'projects.list 200': 2,
      'projects.get 404': 1,
      'tokens.listKeys 200': 1,
    })
  })

  it('RPC: each call of a streamed batch', async () => {
    const headers = { authorization: `Bearer ${team.ownerKey}` }
    const links = [httpBatchStreamLink({ url: `${node.apiUrl}/trpc`, headers })]
    const { projects } = createTRPCClient<AppRouter>({ links })
    const calls = () =>
      Promise.allSettled([projects.list.query({}), projects.get.query({ project: 'missing' })])
    expect(await counted(calls)).toEqual({ 'projects.list 200': 1, 'projects.get 404': 1 })
  })

  it('RPC: an unknown procedure in a batch, and a batch that is refused as a whole', async () => {
    const counts = await counted(async () => {
      await team.owner('GET', '/trpc/projects.list,no.such?batch=1&input=%7B%220%22%3A%7B%7D%7D')
      await apiOf(node)('GET', '/trpc/projects.list,tokens.listKeys?batch=1&input=%7B%7D')
    })
    expect(counts).toEqual({ 'projects.list 200': 1, ...none(404), 'batch 401': 1 })
  })

  it('the rest of the server', async () => {
    const counts = await counted(async () => {
      for (const path of ['/healthz', '/readyz', '/docs', '/auth/providers']) {
        await fetch(new URL(path, node.apiUrl))
      }
      const upload = `${node.apiUrl}/uploads/${'0'.repeat(64)}`
      await fetch(upload, { method: 'PUT', body: 'x' })
    })
    expect(counts).toEqual({ 'health 200': 2, 'docs 200': 1, 'auth 200': 1, 'upload 401': 1 })
  })
})

it('durations, as many as there were requests', async () => {
  const before = await scrape(node)
  await Promise.all(Array.from({ length: 20 }, () => team.owner('GET', '/v1/projects')))
  const grown = growth(before, await scrape(node))
  const labels = { operation: 'projects.list' }
  expect(grown('svc_api_request_duration_seconds_count', labels)).toBe(20)
  expect(grown('svc_api_request_duration_seconds_bucket', { ...labels, le: '60' })).toBe(20)
  const seconds = grown('svc_api_request_duration_seconds_sum', labels)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(20)
})

it('repeats with the same Idempotency-Key', async () => {
  const before = await scrape(node)
  const key = { 'idempotency-key': randomUUID() }
  for (let i = 0; i < 3; i += 1) await team.owner('POST', '/v1/apikeys', { name: 'once' }, key)
  expect(growth(before, await scrape(node))('svc_idempotent_replays_total')).toBe(2)
})

it('refusals of rate limits, by policy', async () => {
  const own = await startOwnNode({ SVC_RATE_ANONYMOUS: '1/2', SVC_RATE_FREE: '1/3' })
  const { ownerKey } = await newTeam(own)
  const call = (token?: string) =>
    fetch(`${own.apiUrl}/v1/projects`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  // Once anonymous calls have used up this address's limit of look-ups, a key that isn't cached is refused
  // with them.
  for (let i = 0; i < 6; i += 1) await call(ownerKey)
  for (let i = 0; i < 6; i += 1) await call()
  const { value } = await scrape(own)
  const [refused, passed] = ['429', '401'].map((status) => value('svc_api_requests_total', { status }) ?? 0)
  expect(value('svc_rate_limit_refusals_total')).toBe(refused)
  expect(refused).toBeGreaterThanOrEqual(5)
  expect(passed).toBeGreaterThanOrEqual(2)
  expect(value('svc_rate_limit_refusals_total', { policy: 'free' })).toBeGreaterThanOrEqual(2)
  expect(value('svc_rate_limit_refusals_total', { policy: 'pro' })).toBe(0)
  await own.stop()
})
