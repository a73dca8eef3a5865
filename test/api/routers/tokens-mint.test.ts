/** `POST /v1/token`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { apiOf } from '../../support/api.ts'
import { claimsOf, enforcingNode, mint } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await enforcingNode()
  team = await newTeam(node)
})

describe('with an API key', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('returns a JWT for its own team, with %s', async (_, input) => {
    const beforeMs = Date.now()
    const { status, body, headers } = await team.owner('POST', '/v1/token', input)
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]{43}$/),
      token_type: 'Bearer',
      team: team.slug,
      role: 'owner',
      expires_ms: expect.any(Number),
    })
    expect(body.expires_ms).toBeGreaterThan(beforeMs + 8 * 3_600_000 - 1_000)
    expect(body.expires_ms).toBeLessThanOrEqual(Date.now() + 8 * 3_600_000)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(claimsOf(body.token)).toMatchObject({ sub: team.ownerId, tenant: team.id, role: 'owner' })
    expect(claimsOf(body.token)).not.toHaveProperty('sid')
  })

  it("has the key's role, or its user's if that is lower", async () => {
    const { key } = await addMember(node, team)
    expect((await apiOf(node, key)('POST', '/v1/token')).body.role).toBe('member')
  })

  it.each<[string, () => string]>([
    ['its own slug', () => team.slug],
    ['its own id', () => team.id],
    ['another', () => 'other'],
  ])('is 400 with a team: %s', async (_, slug) => {
    const { status, body } = await team.owner('POST', '/v1/token', { team: slug() })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'invalid_input', issues: [{ path: 'team' }] })
  })

  it('accepts no other field', async () => {
    const { status, body } = await team.owner('POST', '/v1/token', { role: 'owner', ttl: 1 })
    expect(status).toBe(400)
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(['role', 'ttl'])
  })
})

describe('with a session', () => {
  it('returns one for the personal team, or any other of its user', async () => {
    const { userId } = await addMember(node, team)
    const home = await joinNewTeam(node, userId, { personal: true })
    const session = await newSession(node, userId)
    const unnamed = await session.api('POST', '/v1/token')
    expect(unnamed.body).toMatchObject({ team: home.slug, role: 'owner' })
    expect(claimsOf(unnamed.body.token)).toMatchObject({ sub: userId, tenant: home.id, sid: session.id })
    for (const reference of [team.slug, team.id]) {
      const named = await session.api('POST', '/v1/token', { team: reference })
      expect(named.body).toMatchObject({ team: team.slug, role: 'member' })
    }
  })

  it('is the same 404 for a foreign team as for an unknown one', async () => {
    const { userId } = await addMember(node, await newTeam(node))
    const { api } = await newSession(node, userId)
    const results = await Promise.all(
      [team.slug, team.id, unique('team'), newId('team', Date.now())].map(async (reference) => {
        const { status, body } = await api('POST', '/v1/token', { team: reference })
        return { status, ...body, request_id: '' }
      }),
    )
    expect(results[0]).toMatchObject({ status: 404, reason: 'team_not_found' })
    for (const each of results) expect(each).toEqual(results[0])
  })

  it('uses the input’s team, not the header’s', async () => {
    const { userId } = await addMember(node, team)
    const home = await joinNewTeam(node, userId, { personal: true })
    const { api } = await newSession(node, userId)
    const { status, body } = await api('POST', '/v1/token', {}, { 'x-svc-team': team.slug })
    expect({ status, team: body.team }).toEqual({ status: 200, team: home.slug })
  })
})

it('is 401 jwt_cannot_mint with a JWT, so that no JWT outlives its 8 hours', async () => {
  const { api } = await mint(node, team.ownerKey)
  const { status, body, headers } = await api('POST', '/v1/token')
  expect(status).toBe(401)
  expect(body.reason).toBe('jwt_cannot_mint')
  expect(headers.get('www-authenticate')).toBe('Bearer')
})

it('is 401 without a credential', async () => {
  expect((await apiOf(node)('POST', '/v1/token')).body.reason).toBe('unauthorized')
})

it('is 400 jwt_not_configured if no secret is set', async () => {
  const open = await sharedNode()
  const { owner, ownerId } = await newTeam(open)
  const { api } = await newSession(open, ownerId)
  for (const caller of [owner, api]) {
    const { status, body } = await caller('POST', '/v1/token')
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'jwt_not_configured', code: 'BAD_REQUEST' })
    expect(body.message).toContain('SVC_JWT_SECRET')
  }
})

it('is a procedure in RPC, with and without input', async () => {
  for (const body of ['{}', undefined]) {
    const response = await fetch(new URL('/trpc/tokens.mint', node.apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/json' },
      ...(body && { body }),
    })
    expect(await response.json()).toMatchObject({
      result: { data: { token_type: 'Bearer', team: team.slug } },
    })
  }
})
