/** The client of this package on a server that enforces JWTs, of which its user need not know. */
import { createTRPCClient, httpLink, isTRPCClientError } from '@trpc/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AppRouter, createClient } from '../../../src/api/client/index.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await enforcingNode()
})

/** The requests of `team` that the node logged while `work` ran, by path and status. */
async function requestsOf(at: TestNode, team: TestTeam, work: () => Promise<unknown>): Promise<string[]> {
  const before = at.logged.length
  await work()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const lines = at.logged.slice(before).map((line) => JSON.parse(line))
  return lines.filter(({ team: id }) => id === team.id).map(({ path, status }) => `${path} ${status}`)
}

describe('createClient with an API key', () => {
  it('exchanges it on the first request for one, and keeps the JWT', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const [one, two] = [unique('site'), unique('site')]
    expect(await requestsOf(node, team, () => client.projects.put.mutate({ project: one }))).toEqual([
      '/trpc/projects.put 401',
      '/trpc/tokens.mint 200',
      '/trpc/projects.put 200',
    ])
    expect(await requestsOf(node, team, () => client.projects.put.mutate({ project: two }))).toEqual([
      '/trpc/projects.put 200',
    ])
    expect((await client.projects.list.query({})).data).toHaveLength(2)
  })

  it('exchanges it once for concurrent calls', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const names = Array.from({ length: 5 }, () => unique('site'))
    const requests = await requestsOf(node, team, () =>
      Promise.all(names.map((project) => client.projects.put.mutate({ project }))),
    )
    expect(requests.filter((request) => request.includes('tokens.mint'))).toHaveLength(1)
    expect((await client.projects.list.query({})).data).toHaveLength(5)
  })

  it('is not refused in the middle of a large body', async () => {
    const team = await newTeam(node)
    const project = unique('site')
    await createClient({ url: node.apiUrl, token: team.ownerKey }).projects.put.mutate({ project })
    const content = 'x'.repeat(8 * 1024 * 1024)
    for (let i = 0; i < 3; i += 1) {
      const client = createClient({ url: node.apiUrl, token: team.ownerKey })
      const files = [{ path: 'large.txt', content }]
      expect((await client.deployments.create.mutate({ project, files })).bytes).toBe(content.length)
    }
  })

  it('can still mint one itself, also together with other calls', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    await client.projects.put.mutate({ project: unique('site') })
    const [minted, made] = await Promise.all([
      client.tokens.mint.mutate({}),
      client.projects.put.mutate({ project: unique('site') }),
    ])
    expect(minted.team).toBe(team.slug)
    expect(made.id).toMatch(/^prj_/)
  })

  it('mints another when its JWT has expired', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    await client.projects.put.mutate({ project: unique('site') })
    node.clock.aheadMs = 8 * 3_600_000
    const made = await client.projects.put.mutate({ project: unique('site') }).finally(() => {
      node.clock.aheadMs = 0
    })
    expect(made.id).toMatch(/^prj_/)
  })

  it('returns the error of the repeated call, and does not try a third time', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    const failure = await client.projects.put.mutate({ project: '-' }).catch((error: unknown) => error)
    expect(isTRPCClientError<AppRouter>(failure) && failure.data?.reason).toBe('invalid_input')
  })

  it('reports that its key is invalid when it was revoked meanwhile', async () => {
    const team = await newTeam(node)
    const client = createClient({ url: node.apiUrl, token: team.ownerKey })
    await client.projects.put.mutate({ project: unique('site') })
    const [{ id } = { id: '' }] = (await client.tokens.listKeys.query({})).data
    await client.tokens.revokeKey.mutate({ key: id })
    const failure = await client.projects.put
      .mutate({ project: unique('site') })
      .catch((error: unknown) => error)
    expect(isTRPCClientError<AppRouter>(failure) && failure.data?.reason).toBe('unauthorized')
  })

  it('makes no extra request if no JWT is required', async () => {
    const open = await sharedNode()
    const team = await newTeam(open)
    const client = createClient({ url: open.apiUrl, token: team.ownerKey })
    expect(
      await requestsOf(open, team, () => client.projects.put.mutate({ project: unique('site') })),
    ).toEqual(['/trpc/projects.put 200'])
  })
})

it('createClient accepts a JWT, too', async () => {
  const team = await newTeam(node)
  const { token } = await mint(node, team.ownerKey)
  const client = createClient({ url: node.apiUrl, token })
  expect((await client.projects.put.mutate({ project: unique('site') })).id).toMatch(/^prj_/)
})

it('any other tRPC client works with a JWT', async () => {
  const team = await newTeam(node)
  const { token } = await mint(node, team.ownerKey)
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${node.apiUrl}/trpc`, headers: { authorization: `Bearer ${token}` } })],
  })
  expect((await client.projects.put.mutate({ project: unique('site') })).id).toMatch(/^prj_/)
})
