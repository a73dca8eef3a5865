/** Idempotency-Key over RPC: with the usual tRPC clients, and the same key over REST. */
import { randomUUID } from 'node:crypto'
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink } from '@trpc/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppRouter, createClient } from '../../../src/api/client/index.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

const input = { project: 'web', files: [{ path: 'index.html', content: 'Hello' }] }

const headersWith = (key: string) => ({ authorization: `Bearer ${team.ownerKey}`, 'idempotency-key': key })

async function call(path: string, body: unknown, headers: Record<string, string>, method = 'POST') {
  const response = await fetch(new URL(`/trpc/${path}`, node.apiUrl), {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const deployments = async () => (await team.owner('GET', '/v1/deployments?limit=100')).body.data.length

describe('createClient', () => {
  it('repeats a mutation with the idempotencyKey in its context: one effect, one response', async () => {
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const before = await deployments()
    const context = { idempotencyKey: randomUUID() }
    const first = await client.deployments.create.mutate(input, { context })
    expect(await client.deployments.create.mutate(input, { context })).toEqual(first)
    const other = await client.deployments.create.mutate(input)
    expect(other.id).not.toBe(first.id)
    expect(await deployments()).toBe(before + 2)
  })

  it('reports a key that was used for something else', async () => {
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const context = { idempotencyKey: randomUUID() }
    const { token, ...record } = await client.tokens.createKey.mutate({ name: 'a' }, { context })
    expect(token).toMatch(/^svc_/)
    expect(await client.tokens.createKey.mutate({ name: 'a' }, { context })).toEqual(record)
    await expect(client.tokens.createKey.mutate({ name: 'b' }, { context })).rejects.toMatchObject({
      data: { httpStatus: 409, code: 'CONFLICT', reason: 'idempotency_key_reused' },
    })
  })
})

it('a call over REST can be repeated over RPC, and the other way round', async () => {
  const key = randomUUID()
  const link = httpLink({ url: `${node.apiUrl}/trpc`, headers: headersWith(key) })
  const client = createTRPCClient<AppRouter>({ links: [link] })
  const rest = await team.owner('POST', '/v1/deployments', input, { 'idempotency-key': key })
  expect(await client.deployments.create.mutate(input)).toEqual(rest.body)

  const deployment = rest.body.id
  const promoted = await client.deployments.promote.mutate({ deployment })
  const again = await team.owner('POST', `/v1/deployments/${deployment}/promote`, undefined, {
    'idempotency-key': key,
  })
  expect(again.body).toEqual(promoted)
})

describe('with several calls at once the key is a 400 that names it, and nothing is done:', () => {
  const refusal = {
    httpStatus: 400,
    reason: 'invalid_input',
    issues: [{ path: 'Idempotency-Key', message: expect.any(String) }],
  }

  it.each([
    ['a batch of one', 'deployments.create?batch=1', { 0: input }],
    ['a batch of two', 'deployments.create,deployments.create?batch=1', { 0: input, 1: input }],
    ['two paths', 'deployments.create,deployments.create', { 0: input, 1: input }],
    ['a batch with an unknown path', 'deployments.create,gone?batch=1', { 0: input, 1: {} }],
    ['a batch without a POST operation', 'projects.put?batch=1', { 0: { project: 'batched' } }],
  ])('%s', async (_what, path, body) => {
    const before = await deployments()
    const answer = await call(path, body, headersWith(randomUUID()))
    expect(answer).toMatchObject({ status: 400, body: { error: { data: refusal } } })
    expect(await deployments()).toBe(before)
    expect((await team.owner('GET', '/v1/projects/batched')).status).toBe(404)
  })

  it.each([
    ['httpBatchLink', httpBatchLink<AppRouter>],
    ['httpBatchStreamLink', httpBatchStreamLink<AppRouter>],
  ])('%s', async (_name, batchLink) => {
    const url = `${node.apiUrl}/trpc`
    const client = createTRPCClient<AppRouter>({
      links: [batchLink({ url, headers: headersWith(randomUUID()) })],
    })
    await expect(client.deployments.create.mutate(input)).rejects.toMatchObject({ data: refusal })
  })

  it('a call in a form that only tRPC itself parses', async () => {
    const before = await deployments()
    const path = `deployments.create?connectionParams=${encodeURIComponent('{}')}`
    const answer = await call(path, input, headersWith(randomUUID()))
    expect(answer).toMatchObject({ status: 400, body: { error: { data: refusal } } })
    expect(await deployments()).toBe(before)
  })
})

describe('the key has no effect', () => {
  it('on a query, also in a batch', async () => {
    const headers = headersWith('two words')
    const batch = `projects.list,projects.list?batch=1&input=${encodeURIComponent('{"0":{},"1":{}}')}`
    expect(await call(batch, undefined, headers, 'GET')).toMatchObject({ status: 200 })
  })

  it('on a mutation that is safe to repeat as it is', async () => {
    const headers = headersWith(randomUUID())
    const put = (spa: boolean) => call('projects.put', { project: 'web', spa }, headers)
    expect(await put(true)).toMatchObject({ body: { result: { data: { spa: true } } } })
    expect(await put(false)).toMatchObject({ body: { result: { data: { spa: false } } } })
  })
})
