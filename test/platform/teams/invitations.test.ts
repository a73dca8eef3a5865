import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../src/platform/callers/principal.ts'
import { listInvitations } from '../../../src/platform/teams/invitations.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import type { Store } from '../../../src/stores/db/store.ts'
import type { Api } from '../../support/api.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newPerson, signIn } from '../../support/person.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { clientOf, newEmail, newMember, newSignedIn, newUser, roleIn } from './people.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

const self = { email: null, role: 'owner' }

const invite = (team: TestTeam, email: string, role = 'member') =>
  team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self, { email, role }] })
const withdraw = (team: TestTeam) => team.owner('PUT', `/v1/teams/${team.slug}`, { members: [self] })

const accept = (api: Api, { slug: team }: { slug: string }) =>
  api('POST', '/trpc/teams.acceptInvitation', { team })
const decline = (api: Api, { slug: team }: { slug: string }) =>
  api('POST', '/trpc/teams.declineInvitation', { team })

async function invitationsOf(api: Api, input: object = {}) {
  const query = encodeURIComponent(JSON.stringify(input))
  const { status, body } = await api('GET', `/trpc/teams.invitations?input=${query}`)
  expect(status).toBe(200)
  return body.result.data
}

async function membersOf(team: TestTeam) {
  return (await team.owner('GET', `/v1/teams/${team.slug}`)).body.members
}

const refusalOf = ({ status, body }: Awaited<ReturnType<Api>>) => [status, body.error?.data.reason]

describe('an invitation', () => {
  it('is listed for its address, newest first, and accepted for its team only', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const email = newEmail()
    await invite(one, email.toUpperCase(), 'owner')
    await invite(two, email)
    const person = await newSignedIn(node, email)
    const { data } = await invitationsOf(person.api)
    expect(data).toEqual(
      [two, one].map(({ slug }, i) => {
        return { team: slug, name: slug, role: i === 1 ? 'owner' : 'member', created_ms: expect.any(Number) }
      }),
    )
    const first = await invitationsOf(person.api, { limit: 1 })
    const { next_cursor: cursor } = first
    const second = await invitationsOf(person.api, { limit: 1, cursor })
    expect([...first.data, ...second.data]).toEqual(data)

    const { status, body } = await accept(person.api, one)
    expect({ status, data: body.result.data }).toMatchObject({
      status: 200,
      data: { id: one.id, slug: one.slug, role: 'owner', personal: false },
    })
    expect(await roleIn(node, one, person.userId)).toBe('owner')
    expect(await roleIn(node, two, person.userId)).toBeUndefined()
    expect(await membersOf(one)).toMatchObject([{}, { email, name: 'Ada', joined_ms: expect.any(Number) }])
    expect((await invitationsOf(person.api)).data).toHaveLength(1)
    // With the very next request, and again by a client that lost the response.
    const inTeam = await person.api('GET', '/v1/projects', undefined, { 'x-svc-team': one.slug })
    expect(inTeam.status).toBe(200)
    expect((await accept(person.api, one)).status).toBe(200)
  })

  it('is not accepted by a sign-in alone', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    await invite(team, email, 'owner')
    await signIn(node, await newPerson(node, email))
    expect((await membersOf(team))[1]).toEqual({
      email,
      name: null,
      role: 'owner',
      joined_ms: null,
      unproven: false,
      projects: null,
    })
  })

  it.each([
    ['an unverified address', false, (email: string) => email],
    ["another's address", true, () => newEmail()],
  ])('is invisible to %s', async (_what, verified, own) => {
    const team = await newTeam(node)
    const email = newEmail()
    await invite(team, email)
    const { userId, api } = await newSignedIn(node, own(email), verified)
    expect((await invitationsOf(api)).data).toEqual([])
    for (const answer of [await accept(api, team), await decline(api, team)]) {
      expect(refusalOf(answer)).toEqual([404, 'team_not_found'])
    }
    expect(await roleIn(node, team, userId)).toBeUndefined()
    expect(await membersOf(team)).toHaveLength(2)
  })

  it('is withdrawn by omitting it, and updated by another role', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    const { userId, api } = await newSignedIn(node, email)
    await invite(team, email, 'owner')
    await withdraw(team)
    expect(refusalOf(await accept(api, team))).toEqual([404, 'team_not_found'])
    await invite(team, email, 'owner')
    await invite(team, email, 'member')
    await accept(api, team)
    expect(await roleIn(node, team, userId)).toBe('member')
  })

  it('once declined is deleted; the team’s next is hidden for 30 days, but can be accepted', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const email = newEmail()
    const { userId, api } = await newSignedIn(node, email)
    await invite(team, email)
    expect((await decline(api, team)).body.result.data).toEqual({ team: team.slug, declined: true })
    expect(await membersOf(team)).toHaveLength(1)
    await invite(team, email)
    await invite(other, email)
    expect((await invitationsOf(api)).data).toMatchObject([{ team: other.slug }])
    // The team sees the same as for anybody else.
    expect(await membersOf(team)).toMatchObject([{}, { email, joined_ms: null }])
    expect((await accept(api, team)).status).toBe(200)
    expect(await roleIn(node, team, userId)).toBe('member')
  })

  it('once declined leaves the team’s next one visible after 30 days', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    const { userId, personal, api } = await newSignedIn(node, email)
    const person: Principal = {
      kind: 'session',
      sessionId: 'session',
      expiresMs: 0,
      hasFactor: false,
      factorRequired: false,
      plan: 'free',
      projects: null,
      role: 'owner',
      userId,
      teamId: personal.id,
      teamSlug: personal.slug,
    }
    await invite(team, email)
    await decline(api, team)
    await invite(team, email)
    const dayMs = 24 * 3_600_000
    const visibleIn = (days: number) =>
      listInvitations({ db: store.db, nowMs: Date.now() + days * dayMs }, person, { limit: 10 })
    expect((await visibleIn(29.9)).data).toEqual([])
    expect((await visibleIn(30.1)).data).toMatchObject([{ team: team.slug }])
  })

  it("does not raise an existing member's role, and is deleted", async () => {
    const team = await newTeam(node)
    const [first, second] = [newEmail(), newEmail()]
    const { userId, api } = await newSignedIn(node, first)
    await invite(team, first)
    await accept(api, team)
    const members = [self, { email: first, role: 'member' }, { email: second, role: 'owner' }]
    await team.owner('PUT', `/v1/teams/${team.slug}`, { members })
    await store.db.update(users).set({ email: second }).where(eq(users.id, userId))
    await accept(api, team)
    expect(await roleIn(node, team, userId)).toBe('member')
    expect(await membersOf(team)).toHaveLength(2)
  })

  it('is accepted or withdrawn, never both, when that happens at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newTeam(node)
      const email = newEmail()
      const { userId, api } = await newSignedIn(node, email)
      await invite(team, email)
      const [{ status }] = await Promise.all([withdraw(team), accept(api, team)])
      expect(status).toBe(200)
      expect(await membersOf(team)).toHaveLength(1)
      expect(await roleIn(node, team, userId)).toBeUndefined()
    }
  })

  it('never prevents creating teams; 409 too_many_teams from the 101st joined one on', async () => {
    const email = newEmail()
    const { userId, api } = await newSignedIn(node, email)
    const teams = await Promise.all(Array.from({ length: 21 }, () => newTeam(node)))
    for (const team of teams) await invite(team, email, 'owner')
    expect((await api('PUT', `/v1/teams/${teams[0]?.slug}-own`)).status).toBe(200)
    for (let joined = 2; joined < 100; joined += 1) await joinNewTeam(node, userId, { role: 'member' })
    const [team] = teams
    if (!team) throw new Error('There is no team.')
    expect(refusalOf(await accept(api, team))).toEqual([409, 'too_many_teams'])
    expect((await invitationsOf(api, { limit: 100 })).data).toHaveLength(21)
  })
})

describe('invitations belong to the user', () => {
  const apisOf = async (on: TestNode, userId: string, personal: { id: string }, team: TestTeam) => ({
    'an owner key of the personal team': await clientOf(on, personal, userId),
    'a member key of the personal team': await clientOf(on, personal, userId, 'member'),
    'an owner key of another team': await clientOf(on, team, userId),
  })

  it('not to a user with a key of another team', async () => {
    const [team, inviting] = [await newTeam(node), await newTeam(node)]
    const email = newEmail()
    const userId = await newMember(node, team, email, 'owner')
    const personal = await joinNewTeam(node, userId, { personal: true })
    await invite(inviting, email)
    const apis = await apisOf(node, userId, personal, team)
    for (const what of ['a member key of the personal team', 'an owner key of another team'] as const) {
      const answers = [
        await apis[what]('GET', '/trpc/teams.invitations?input=%7B%7D'),
        await accept(apis[what], inviting),
        await decline(apis[what], inviting),
      ]
      expect(answers.map(refusalOf)).toEqual(Array(3).fill([403, 'role_required']))
    }
    const own = apis['an owner key of the personal team']
    expect((await invitationsOf(own)).data).toMatchObject([{ team: inviting.slug }])
    expect((await accept(own, inviting)).status).toBe(200)
    expect(await roleIn(node, inviting, userId)).toBe('member')
  })

  it('and are accepted with a JWT for the personal team if JWTs are enforced', async () => {
    const enforcing = await enforcingNode()
    const team = await newTeam(enforcing)
    const email = newEmail()
    const { api: owner } = await mint(enforcing, team.ownerKey)
    await owner('PUT', `/v1/teams/${team.slug}`, { members: [self, { email, role: 'member' }] })
    const { userId } = await newSignedIn(enforcing, email)
    const session = await newSession(enforcing, userId)
    expect((await invitationsOf(session.api)).data).toMatchObject([{ team: team.slug }])
    expect(refusalOf(await accept(session.api, team))).toEqual([401, 'jwt_required'])
    expect((await accept((await mint(enforcing, session.token)).api, team)).status).toBe(200)
    expect(await roleIn(enforcing, team, userId)).toBe('member')
  })
})

it('an owner cannot learn from invitations whether an address has an account', async () => {
  const team = await newTeam(node)
  const [somebodys, members] = [newEmail(), await addMember(node, team)]
  await newUser(node, somebodys)
  const answers = []
  for (const email of [somebodys, newEmail()]) {
    const { status, body } = await team.owner('PUT', `/v1/teams/${team.slug}`, {
      members: [self, { email, role: 'owner' }],
    })
    answers.push(JSON.stringify([status, { ...body, updated_ms: 0 }]).replaceAll(email, 'it'))
  }
  expect(answers[0]).toBe(answers[1])
  expect((await members.api('GET', '/v1/projects')).status).toBe(200)
})
