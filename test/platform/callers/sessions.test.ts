/** Signed-in users as callers of a node that doesn't enforce JWTs. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { members, teams } from '../../../src/stores/db/schema/teams.ts'
import { exchange, head } from '../../api/server/raw-http.ts'
import { apiOf } from '../../support/api.ts'
import { enforcingNode } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession, type TestSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
/** A team that the user is a member of, besides the personal one. */
let team: TestTeam
let home: { id: string; slug: string }
let userId: string
let session: TestSession
/** A project in each of the two. */
const [inTeam, atHome] = [unique('in-team'), unique('at-home')]

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  ;({ userId } = await addMember(node, team))
  home = await joinNewTeam(node, userId, { personal: true })
  session = await newSession(node, userId)
  await team.owner('PUT', `/v1/projects/${inTeam}`)
  await session.api('PUT', `/v1/projects/${atHome}`)
})

async function projectsSeen(headers: Record<string, string>): Promise<string[]> {
  const { status, body } = await apiOf(node)('GET', '/v1/projects', undefined, headers)
  expect(status).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the token of a session', () => {
  it.each<[string, () => Record<string, string>]>([
    ['as Bearer', () => bearer(session.token)],
    ['as Bearer, with its signature', () => bearer(session.signed)],
    ['in its cookie', () => ({ cookie: session.cookie })],
    ['in its cookie among others', () => ({ cookie: `theme=dark; ${session.cookie}` })],
  ])('authenticates its user, in the personal team: %s', async (_, headers) => {
    expect(await projectsSeen(headers())).toEqual([atHome])
  })

  it.each<[string, () => Record<string, string>]>([
    ['nobody has', () => bearer('a'.repeat(32))],
    ['is cut', () => bearer(session.token.slice(1))],
    ['is the hash of one', () => bearer('0'.repeat(64))],
    ['has a suffix only', () => ({ cookie: 'svc.session_token=.x' })],
  ])('is 401 when it %s', async (_, headers) => {
    const { status, body } = await apiOf(node)('GET', '/v1/projects', undefined, headers())
    expect({ status, reason: body.reason }).toEqual({ status: 401, reason: 'unauthorized' })
  })

  it('is 401 once it has expired, even if it is cached', async () => {
    const short = await newSession(node, userId, 60_000)
    expect((await short.api('GET', '/v1/projects')).status).toBe(200)
    node.clock.aheadMs = 60_000
    const { status } = await short.api('GET', '/v1/projects')
    node.clock.aheadMs = 0
    expect(status).toBe(401)
  })

  it('is 401 at once when its user signs out', async () => {
    const other = await newSession(node, userId)
    expect(await projectsSeen({ cookie: other.cookie })).toEqual([atHome])
    await other.end()
    expect((await other.api('GET', '/v1/projects')).status).toBe(401)
    expect(await projectsSeen({ cookie: session.cookie })).toEqual([atHome])
  })

  it('is logged by its session’s id only', async () => {
    await projectsSeen({ cookie: session.cookie })
    const log = node.logged.join('\n')
    expect(log).toContain(`"session":"${session.id}"`)
    expect(log).not.toContain(session.token)
  })
})

describe('x-svc-team', () => {
  it('selects the team that a session acts in, by slug or id', async () => {
    for (const reference of [team.slug, team.id]) {
      expect(await projectsSeen({ cookie: session.cookie, 'x-svc-team': reference })).toEqual([inTeam])
    }
    expect(await projectsSeen({ cookie: session.cookie, 'x-svc-team': home.slug })).toEqual([atHome])
  })

  it('applies the role that its user has in that team', async () => {
    const { status, body } = await session.api('DELETE', `/v1/projects/${inTeam}`, undefined, {
      'x-svc-team': team.slug,
    })
    expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'role_required' })
    expect((await session.api('PUT', `/v1/projects/${atHome}`, { protection: 'all' })).status).toBe(200)
  })

  it('is the same 404 for a foreign team as for an unknown one', async () => {
    const foreign = await newTeam(node)
    const references = [foreign.slug, foreign.id, unique('team'), newId('team', 1), '', 'ü', 'a b', '*']
    const bodies = []
    for (const reference of references) {
      const { status, body } = await session.api('GET', '/v1/projects', undefined, {
        'x-svc-team': reference,
      })
      bodies.push({ status, ...body, request_id: '' })
    }
    expect(bodies[0]).toMatchObject({ status: 404, reason: 'team_not_found', code: 'NOT_FOUND' })
    for (const each of bodies) expect(each).toEqual(bodies[0])
  })

  it('does not reveal without a valid session which teams exist', async () => {
    for (const reference of [team.slug, unique('team')]) {
      const { status } = await apiOf(node, 'a'.repeat(32))('GET', '/v1/projects', undefined, {
        'x-svc-team': reference,
      })
      expect(status).toBe(401)
    }
  })

  it('is ignored for an API key, which has its own team', async () => {
    const { body } = await team.owner('GET', '/v1/projects', undefined, { 'x-svc-team': home.slug })
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([inTeam])
  })

  it('is 400 when it is sent twice', async () => {
    const lines = [`Authorization: Bearer ${session.token}`, `X-Svc-Team: ${team.slug}`]
    const { status, body } = await exchange(
      node,
      head('GET /v1/projects', ...lines, `x-svc-team: ${home.slug}`),
    )
    expect(status).toBe(400)
    expect(body).toContain('x-svc-team')
  })

  it('is ignored if JWTs are enforced, which are minted for a team', async () => {
    const enforcing = await enforcingNode()
    const there = await newTeam(enforcing)
    const { userId: person } = await addMember(enforcing, there)
    await joinNewTeam(enforcing, person, { personal: true })
    const { api } = await newSession(enforcing, person)
    for (const reference of [there.slug, 'nobodys']) {
      const { status, body } = await api('GET', '/v1/apikeys', undefined, { 'x-svc-team': reference })
      expect({ status, data: body.data }).toEqual({ status: 200, data: [] })
    }
  })
})

describe('the team without a header', () => {
  it("is the user's own personal team, not another's personal team that they joined", async () => {
    const { userId: person } = await addMember(node, await newTeam(node))
    const nowMs = Date.now()
    const own = await joinNewTeam(node, person, { personal: true, joinedMs: nowMs - 1_000 })
    await joinNewTeam(node, person, { personal: true, joinedMs: nowMs, createdMs: nowMs - 60_000 })
    const { api } = await newSession(node, person)
    const { body } = await api('POST', '/v1/apikeys', { name: 'mine' })
    expect(body.team).toBe(own.slug)
  })

  it('is the first team of a user without a personal one', async () => {
    const first = await newTeam(node)
    const { userId: person } = await addMember(node, first)
    await joinNewTeam(node, person, { joinedMs: Date.now() + 1_000 })
    const { api } = await newSession(node, person)
    expect((await api('POST', '/v1/apikeys', { name: 'mine' })).body.team).toBe(first.slug)
  })
})

describe('a change of the user’s teams', () => {
  it('takes effect at once: joined, renamed, left', async () => {
    const { userId: person } = await addMember(node, await newTeam(node))
    const { api } = await newSession(node, person)
    const other = await newTeam(node)
    const { store } = node.installation
    const seen = async (reference: string) =>
      (await api('GET', '/v1/projects', undefined, { 'x-svc-team': reference })).status
    expect(await seen(other.slug)).toBe(404)

    await store.transact(async (tx) => {
      await tx.insert(members).values({ teamId: other.id, userId: person, role: 'member', joinedMs: 1 })
      tx.announce({ kind: 'member', id: person })
    })
    expect(await seen(other.slug)).toBe(200)

    const renamed = unique('team')
    await store.transact(async (tx) => {
      await tx.update(teams).set({ slug: renamed }).where(eq(teams.id, other.id))
      tx.announce({ kind: 'team', id: other.id })
    })
    expect([await seen(other.slug), await seen(renamed)]).toEqual([404, 200])

    await store.transact(async (tx) => {
      await tx.delete(members).where(eq(members.userId, person))
      tx.announce({ kind: 'member', id: person })
    })
    expect(await seen(renamed)).toBe(401)
  })
})

describe('two credentials', () => {
  it('are never merged: Authorization takes precedence', async () => {
    expect(await projectsSeen({ ...bearer(team.ownerKey), cookie: session.cookie })).toEqual([inTeam])
    for (const authorization of ['', 'Bearer nobody', 'Basic YTpi']) {
      const { status } = await apiOf(node)('GET', '/v1/projects', undefined, {
        authorization,
        cookie: session.cookie,
      })
      expect(status).toBe(401)
    }
  })
})

describe('a mutation with the cookie', () => {
  const change = (headers: Record<string, string>) =>
    apiOf(node)('PUT', `/v1/projects/${atHome}`, { spa: true }, { cookie: session.cookie, ...headers })

  it("is accepted from the API's own pages", async () => {
    expect((await change({ origin: node.apiUrl })).status).toBe(200)
    expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of a site that is deployed here', { origin: 'http://evil.localhost:8080' }],
    ['nowhere', {}],
  ])('is 403 origin_not_allowed from %s', async (_, headers) => {
    const { status, body } = await change(headers)
    expect(status).toBe(403)
    expect(body).toMatchObject({ reason: 'origin_not_allowed', code: 'FORBIDDEN' })
    expect(body.message).toContain(node.apiUrl)
  })

  it('is 403 by RPC, too', async () => {
    const call = (headers: Record<string, string>) =>
      fetch(new URL('/trpc/projects.put', node.apiUrl), {
        method: 'POST',
        headers: { cookie: session.cookie, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ project: atHome, spa: false }),
      })
    expect((await call({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await call({ origin: node.apiUrl })).status).toBe(200)
  })

  it('needs no origin with the same token as Bearer, which no other site can send', async () => {
    expect((await session.api('PUT', `/v1/projects/${atHome}`, { spa: true })).status).toBe(200)
  })
})

it('creates keys that belong to the user', async () => {
  const { body } = await session.api('POST', '/v1/apikeys', { name: 'mine' }, { 'x-svc-team': team.slug })
  const [row] = await node.installation.store.db.select().from(apiKeys).where(eq(apiKeys.id, body.id))
  expect(row).toMatchObject({ userId, teamId: team.id, role: 'member' })
})
