import {
  createTRPCClient,
  httpBatchStreamLink,
  httpLink,
  isTRPCClientError,
  type TRPCClient,
  TRPCClientError,
} from '@trpc/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppRouter, createClient } from '../../../src/api/client/index.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

type Client = TRPCClient<AppRouter>

const url = () => `${node.apiUrl}/trpc`
const headers = (token: string) => ({ authorization: `Bearer ${token}` })

const clients: [string, (token: string) => Client][] = [
  ['createClient of this package', (token) => createClient({ url: node.apiUrl, token })],
  [
    'httpLink, one request a call',
    (token) => createTRPCClient({ links: [httpLink({ url: url(), headers: headers(token) })] }),
  ],
  [
    'httpBatchStreamLink',
    (token) => createTRPCClient({ links: [httpBatchStreamLink({ url: url(), headers: headers(token) })] }),
  ],
]

/** The error that a failed call has for its caller. */
async function failure(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!isTRPCClientError<AppRouter>(error)) throw new Error('The call did not fail.', { cause: error })
  return error
}

/** The requests to `/trpc` that the node has logged since, by path. */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = node.logged.length
  await work()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const lines = node.logged.slice(before).map((line) => JSON.parse(line))
  return lines.filter(({ team: id }) => id === team.id).map(({ path }) => path)
}

describe.each(clients)('%s', (_name, clientOf) => {
  it('calls queries and mutations', async () => {
    const client = clientOf(team.ownerKey)
    const project = unique('site')
    expect(await client.projects.put.mutate({ project, spa: true })).toMatchObject({
      name: project,
      spa: true,
    })
    expect(await client.projects.get.query({ project })).toMatchObject({ name: project })
    const files = [{ path: 'bücher/index.html', content: '<h1>💥</h1>' }]
    const deployment = await client.deployments.create.mutate({ project, target: 'production', files })
    expect(deployment).toMatchObject({ project, state: 'ready', live: true, files: 1 })
    const { data } = await client.deployments.list.query({ project, state: 'ready,error' })
    expect(data.map(({ id }) => id)).toEqual([deployment.id])
  })

  it('has code, reason, message, issues, request_id and httpStatus of an error', async () => {
    const client = clientOf(team.ownerKey)
    const { data, message } = await failure(
      client.projects.put.mutate({ project: 'a', name: '-', preview_ttl_days: 0 }),
    )
    expect(data).toEqual({
      code: 'BAD_REQUEST',
      reason: 'invalid_input',
      message,
      issues: [
        { path: 'name', message: expect.any(String) },
        { path: 'preview_ttl_days', message: expect.any(String) },
      ],
      request_id: expect.stringMatching(/^req_/),
      httpStatus: 400,
    })
    expect(message).toMatch(/^name: /)
  })

  it.each<[number, string, (client: Client) => Promise<unknown>]>([
    [404, 'project_not_found', (client) => client.projects.get.query({ project: 'other' })],
    [400, 'invalid_cursor', (client) => client.projects.list.query({ cursor: 'a' })],
    [400, 'files_missing', missingFile],
  ])('%i %s', async (httpStatus, reason, call) => {
    expect((await failure(call(clientOf(team.ownerKey)))).data).toMatchObject({ httpStatus, reason })
  })

  it('403 role_required for a member', async () => {
    const { key } = await addMember(node, team)
    const call = clientOf(key).tokens.createKey.mutate({ name: 'a', role: 'owner' })
    expect((await failure(call)).data).toMatchObject({
      httpStatus: 403,
      reason: 'role_required',
      code: 'FORBIDDEN',
    })
  })

  it.each(['svc_nonsense', ''])('401 with the token %j', async (token) => {
    const { data } = await failure(clientOf(token).projects.list.query({}))
    expect(data).toMatchObject({ httpStatus: 401, reason: 'unauthorized', code: 'UNAUTHORIZED' })
    expect(data?.request_id).toMatch(/^req_/)
  })

  it('one of several calls fails alone', async () => {
    const client = clientOf(team.ownerKey)
    const project = unique('site')
    await client.projects.put.mutate({ project })
    const [found, missing] = await Promise.allSettled([
      client.projects.get.query({ project }),
      client.projects.get.query({ project: 'other' }),
    ])
    expect(found).toMatchObject({ status: 'fulfilled', value: { name: project } })
    expect(missing).toMatchObject({ status: 'rejected', reason: { data: { reason: 'project_not_found' } } })
  })

  it('413 for a body over the limit', async () => {
    const files = [{ path: 'a', content: 'a'.repeat(node.settings.SVC_MAX_JSON_BYTES) }]
    const call = clientOf(team.ownerKey).deployments.create.mutate({ project: 'a', files })
    expect((await failure(call)).data).toMatchObject({ httpStatus: 413, reason: 'body_too_large' })
  })

  it('a call can be aborted', async () => {
    const controller = new AbortController()
    const call = clientOf(team.ownerKey).projects.list.query({}, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toThrow(TRPCClientError)
  })
})

async function missingFile(client: Client): Promise<unknown> {
  const project = unique('site')
  await client.projects.put.mutate({ project })
  const files = [{ path: 'a', sha256: 'c'.repeat(64), size: 1 }]
  const call = client.deployments.create.mutate({ project, files })
  const { data } = await failure(call)
  expect(data?.missing?.[0]?.upload_url).toMatch(new RegExp(`^${node.apiUrl}/uploads/c{64}`))
  return call
}

describe('createClient', () => {
  it('batches concurrent calls into one request', async () => {
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const paths = await requestsOf(() =>
      Promise.all([
        client.projects.list.query({}),
        client.deployments.list.query({}),
        client.tokens.listKeys.query({}),
      ]),
    )
    expect(paths).toEqual(['/trpc/projects.list,deployments.list,tokens.listKeys'])
  })

  it('sends queries and mutations separately', async () => {
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const project = unique('site')
    const paths = await requestsOf(() =>
      Promise.all([client.projects.list.query({}), client.projects.put.mutate({ project })]),
    )
    expect(paths.sort()).toEqual(['/trpc/projects.list', '/trpc/projects.put'])
  })

  it('batches no more than the server accepts: 400 calls, and 100 with long inputs', async () => {
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const long = 'é'.repeat(100)
    const paths = await requestsOf(async () => {
      const calls = Array.from({ length: 400 }, () => client.projects.list.query({ limit: 1 }))
      const longer = Array.from({ length: 100 }, () => client.projects.list.query({ q: long }))
      expect(await Promise.all([...calls, ...longer])).toHaveLength(500)
    })
    expect(paths.length).toBeGreaterThan(4)
    expect(paths.length).toBeLessThan(50)
  })

  it.each(['', '/', '/any/path?query'])('accepts the API’s URL with any ending: %j', async (end) => {
    const client = createClient({ url: node.apiUrl + end, token: team.ownerKey })
    expect((await client.projects.list.query({ limit: 1 })).data.length).toBeLessThanOrEqual(1)
  })
})
