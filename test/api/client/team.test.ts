/** The typed client of a session acts in the team that it is for, on nodes with and without JWTs. */
import { isTRPCClientError } from '@trpc/client'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type AppRouter, createClient } from '../../../src/api/client/index.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { claimsOf, enforcingNode, mint } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

type Client = ReturnType<typeof createClient>

const reasonOf = (error: unknown) => isTRPCClientError<AppRouter>(error) && error.data?.reason

/** A person with an own team, who is an owner of another team, too. */
async function newPerson(node: TestNode) {
  const acme = await newTeam(node)
  const { userId } = await addMember(node, acme, 'owner')
  const personal = await joinNewTeam(node, userId, { personal: true })
  const session = await newSession(node, userId)
  return { acme, personal, userId, session }
}

async function setRole(team: TestTeam, userId: string, role: 'owner' | 'member') {
  const { store } = (await enforcingNode()).installation
  await store.transact(async (tx) => {
    const isMember = and(eq(members.teamId, team.id), eq(members.userId, userId))
    await tx.update(members).set({ role }).where(isMember)
    tx.announce({ kind: 'member', id: userId })
  })
}

const projectsOf = async (client: Client) =>
  (await client.projects.list.query({})).data.map(({ name }) => name)

const pass: NonNullable<Parameters<typeof createClient>[0]['fetch']> = (address, init) => {
  const { method = 'GET', headers = {}, body } = init ?? {}
  return fetch(String(address), { method, headers, ...(typeof body === 'string' && { body }) })
}

/** The events that arrive, as text. */
function follow(client: Client) {
  const seen: string[] = []
  const failures: unknown[] = []
  const { unsubscribe } = client.events.follow.subscribe(
    {},
    {
      onData: ({ data }) => void seen.push(data.type === 'connected' ? data.type : JSON.stringify(data)),
      onError: (error) => void failures.push(reasonOf(error)),
    },
  )
  onTestFinished(unsubscribe)
  return { seen, failures }
}

describe.each([
  ['that requires JWTs', enforcingNode],
  ['without JWTs', sharedNode],
])('on a node %s', (_, start) => {
  let node: TestNode
  let person: Awaited<ReturnType<typeof newPerson>>
  let acme: TestTeam

  beforeAll(async () => {
    node = await start()
  })

  beforeEach(async () => {
    person = await newPerson(node)
    acme = person.acme
  })

  const clientIn = (team: string) => {
    const { cookie } = person.session
    return createClient({ url: node.apiUrl, cookie, team })
  }

  it.each(['a cookie and a slug', 'a cookie and an id', 'a token and a slug'])(
    'every kind of call with %s is in the team',
    async (how) => {
      const team = how.endsWith('id') ? acme.id : acme.slug
      const { token, cookie } = person.session
      const client = createClient({
        url: node.apiUrl,
        team,
        ...(how.startsWith('a token') ? { token } : { cookie }),
      })
      const home = clientIn(person.personal.slug)
      const { seen } = follow(client)
      await expect.poll(() => seen).toEqual(['connected'])
      const project = unique('site')
      const [key, made, madeAtHome] = await Promise.all([
        client.tokens.createKey.mutate({ name: 'made in the team' }),
        client.projects.put.mutate({ project }),
        home.projects.put.mutate({ project: 'at-home' }),
      ])
      expect(key.team).toBe(acme.slug)
      const [names, keys, overview, logs] = await Promise.all([
        projectsOf(client),
        client.tokens.listKeys.query({}),
        client.observability.overview.query({}),
        client.observability.logs.query({ kind: 'audit', order: 'asc', wait_s: 1 }),
      ])
      expect(names).toEqual([project])
      expect(keys.data.map(({ team }) => team)).toContain(acme.slug)
      expect(overview.team).toBe(acme.slug)
      expect(logs.data.length).toBeGreaterThan(0)
      expect(await projectsOf(home)).toEqual(['at-home'])
      await expect.poll(() => seen.join()).toContain(made.id)
      expect(seen.join()).not.toContain(madeAtHome.id)
    },
  )

  it('an upload lands in the team', async () => {
    const client = clientIn(acme.slug)
    const project = unique('site')
    await client.projects.put.mutate({ project })
    const content = unique('content')
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(content))
    const files = [{ path: 'index.html', sha256: Buffer.from(digest).toString('hex'), size: content.length }]
    const refusal = await client.deployments.create.mutate({ project, files }).catch((error) => error)
    const address = isTRPCClientError<AppRouter>(refusal) && refusal.data?.missing?.[0]?.upload_url
    expect((await fetch(String(address), { method: 'PUT', body: content })).status).toBe(200)
    const { id } = await client.deployments.create.mutate({ project, files })
    expect((await acme.owner('GET', `/v1/deployments/${id}`)).status).toBe(200)
  })

  it('a team of others is refused: nothing happens in the own one', async () => {
    const other = await newTeam(node)
    const client = clientIn(other.slug)
    const { failures } = follow(client)
    const calls = [client.projects.list.query({}), client.projects.put.mutate({ project: unique('site') })]
    for (const call of calls) expect(reasonOf(await call.catch((error) => error))).toBe('team_not_found')
    await expect.poll(() => failures).toEqual(['team_not_found'])
    expect(await projectsOf(clientIn(person.personal.slug))).toEqual([])
  })

  it('who leaves the team acts in no other', async () => {
    const client = clientIn(acme.slug)
    await client.projects.put.mutate({ project: unique('site') })
    const { store } = node.installation
    await store.transact(async (tx) => {
      await tx.delete(members).where(and(eq(members.teamId, acme.id), eq(members.userId, person.userId)))
      tx.announce({ kind: 'member', id: person.userId })
    })
    const gone = { timeout: 10_000 }
    await expect
      .poll(async () => reasonOf(await client.projects.list.query({}).catch((error) => error)), gone)
      .toBe('team_not_found')
    const put = await client.projects.put.mutate({ project: 'stray' }).catch((error) => error)
    expect(reasonOf(put)).toBe('team_not_found')
  })
})

describe('a JWT', () => {
  let node: TestNode

  beforeAll(async () => {
    node = await enforcingNode()
  })

  it('can still be minted, together with other calls', async () => {
    const { acme, personal, session } = await newPerson(node)
    const client = createClient({ url: node.apiUrl, cookie: session.cookie, team: acme.slug })
    const project = unique('site')
    const [minted] = await Promise.all([
      client.tokens.mint.mutate({}),
      projectsOf(client),
      client.projects.put.mutate({ project }),
    ])
    expect(claimsOf(minted.token).tenant).toBe(acme.id)
    expect(await projectsOf(client)).toEqual([project])
    const home = await client.tokens.mint.mutate({ team: personal.slug })
    expect(home.team).toBe(personal.slug)
  })

  it('is minted before the first call, once for all that are made together', async () => {
    const { acme, session } = await newPerson(node)
    const sent: string[] = []
    const client = createClient({
      url: node.apiUrl,
      cookie: session.cookie,
      team: acme.slug,
      fetch: (address, init) => {
        const isByJwt = 'authorization' in { ...init?.headers }
        sent.push(`${new URL(String(address)).pathname} ${isByJwt ? 'JWT' : 'session'}`)
        return pass(address, init)
      },
    })
    await Promise.all([projectsOf(client), client.domains.list.query({})])
    await client.projects.put.mutate({ project: unique('site') })
    expect(sent).toEqual([
      '/trpc/tokens.mint session',
      '/trpc/projects.list,domains.list JWT',
      '/trpc/projects.put JWT',
    ])
  })

  it('that has expired is replaced by another of the same team, for reads, changes and streams', async () => {
    const { acme, userId } = await newPerson(node)
    const { cookie } = await newSession(node, userId, 30 * 3_600_000)
    const client = createClient({ url: node.apiUrl, cookie, team: acme.slug })
    onTestFinished(() => {
      node.clock.aheadMs = 0
    })
    const [one, two] = [unique('site'), unique('site')]
    await client.projects.put.mutate({ project: one })
    node.clock.aheadMs = 8 * 3_600_000
    expect(await projectsOf(client)).toEqual([one])
    node.clock.aheadMs = 16 * 3_600_000
    await client.projects.put.mutate({ project: two })
    node.clock.aheadMs = 24 * 3_600_000
    const { seen, failures } = follow(client)
    await expect.poll(() => seen).toEqual(['connected'])
    expect(failures).toEqual([])
    expect(await projectsOf(client)).toEqual([one, two].sort())
  })

  it('does not stand between a person and the other teams', async () => {
    const { acme, personal, session } = await newPerson(node)
    const client = createClient({ url: node.apiUrl, cookie: session.cookie, team: acme.slug })
    const other = unique('team')
    const [teams, made] = await Promise.all([
      client.teams.list.query({}),
      client.teams.put.mutate({ team: other }),
      projectsOf(client),
    ])
    expect(teams.data.map(({ slug }) => slug)).toEqual(expect.arrayContaining([acme.slug, personal.slug]))
    expect(made.slug).toBe(other)
    expect((await client.teams.put.mutate({ team: acme.slug, name: 'Renamed' })).name).toBe('Renamed')
    expect((await client.teams.invitations.query({})).data).toEqual([])
  })

  it('follows a promotion with the next call that needs it', async () => {
    const { acme, userId, session } = await newPerson(node)
    await setRole(acme, userId, 'member')
    const client = createClient({ url: node.apiUrl, cookie: session.cookie, team: acme.slug })
    const project = unique('site')
    await client.projects.put.mutate({ project })
    const refused = () => client.projects.delete.mutate({ project }).catch(reasonOf)
    expect(await refused()).toBe('role_required')
    await setRole(acme, userId, 'owner')
    await client.projects.delete.mutate({ project })
    expect(await projectsOf(client)).toEqual([])
  })

  it('is replaced once where the role is still too low, and the call is not repeated', async () => {
    const { acme, userId, session } = await newPerson(node)
    await setRole(acme, userId, 'member')
    const sent: string[] = []
    const client = createClient({
      url: node.apiUrl,
      cookie: session.cookie,
      team: acme.slug,
      fetch: (address, init) => {
        sent.push(new URL(String(address)).pathname)
        return pass(address, init)
      },
    })
    const project = unique('site')
    await client.projects.put.mutate({ project })
    sent.length = 0
    expect(await client.projects.delete.mutate({ project }).catch(reasonOf)).toBe('role_required')
    expect(sent).toEqual(['/trpc/projects.delete', '/trpc/tokens.mint'])
  })

  it.each([
    ['a slug', 'an id'],
    ['an id', 'a slug'],
  ])('is sent where the client names the team by %s and a call by %s', async (of, by) => {
    const { acme, session } = await newPerson(node)
    const named = (how: string) => (how === 'a slug' ? acme.slug : acme.id)
    const client = createClient({ url: node.apiUrl, cookie: session.cookie, team: named(of) })
    expect((await client.teams.put.mutate({ team: named(by), name: 'Renamed' })).name).toBe('Renamed')
    await client.teams.delete.mutate({ team: named(by) })
  })

  it('of another team than the client requested is not used', async () => {
    const { acme, personal, session } = await newPerson(node)
    const client = createClient({
      url: node.apiUrl,
      cookie: session.cookie,
      team: acme.slug,
      // Something in front of the server that loses the team.
      fetch: (address, init) => pass(address, { ...init, ...(init?.body && { body: '{}' }) }),
    })
    const failure = await projectsOf(client).catch((error: Error) => error.message)
    expect(failure).toBe(`The server issued a JWT of the team "${personal.slug}" instead of "${acme.slug}".`)
  })
})

describe('a team beside a credential that has its own', () => {
  it.each(['own', 'another'])('is refused with an API key: %s', async (which) => {
    const node = await sharedNode()
    const [mine, other] = [await newTeam(node), await newTeam(node)]
    const team = (which === 'own' ? mine : other).slug
    const create = () => createClient({ url: node.apiUrl, token: mine.ownerKey, team })
    expect(create).toThrow(TypeError)
    expect(create).toThrow('an API key belongs to one team')
  })

  it("is refused with a JWT, except for the JWT's own id", async () => {
    const node = await enforcingNode()
    const [mine, other] = [await newTeam(node), await newTeam(node)]
    const { token } = await mint(node, mine.ownerKey)
    for (const team of [other.id, other.slug, mine.slug]) {
      const create = () => createClient({ url: node.apiUrl, token, team })
      expect(create).toThrow(`this JWT belongs to the team "${mine.id}"`)
    }
    const client = createClient({ url: node.apiUrl, token, team: mine.id })
    expect((await client.observability.overview.query({})).team).toBe(mine.slug)
  })

  it('is refused with what only looks like a JWT', () => {
    expect(() => createClient({ url: 'http://localhost', token: 'a.b.c', team: 'acme' })).toThrow(TypeError)
  })
})
