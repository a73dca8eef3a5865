import { beforeAll, describe, expect, it } from 'vitest'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { clientOf, nameOwner, newEmail, newMember, newUser, roleIn } from './people.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const put = (team: TestTeam, members: { email: string | null; role: string }[], api = team.owner) =>
  api('PUT', `/v1/teams/${team.slug}`, { members })

async function joinAgain(team: TestTeam, userId: string): Promise<void> {
  await node.installation.store.transact(async (tx) => {
    await tx.insert(members).values({ teamId: team.id, userId, role: 'member', joinedMs: Date.now() })
    tx.announce({ kind: 'member', id: userId })
  })
}

async function membersOf(team: TestTeam): Promise<{ email: string | null; joined_ms: number | null }[]> {
  return (await team.owner('GET', `/v1/teams/${team.slug}`)).body.members
}

describe('the list of members', () => {
  it('invites new addresses, with the same response whether or not there is an account', async () => {
    const team = await newTeam(node)
    const [owner, verified, unverified, nobodys] = [
      await nameOwner(node, team),
      newEmail(),
      newEmail(),
      newEmail(),
    ]
    const userId = await newUser(node, verified)
    await newUser(node, unverified, false)
    const invited = [verified, unverified, nobodys]
    const members = invited.map((email) => ({ email: email.toUpperCase(), role: 'member' }))
    const { status, body } = await put(team, [{ email: owner, role: 'owner' }, ...members])
    expect(status).toBe(200)
    expect(body.members).toEqual([
      {
        email: owner,
        name: 'owner',
        role: 'owner',
        joined_ms: expect.any(Number),
        unproven: false,
        projects: null,
      },
      ...invited.toSorted().map((email) => ({
        email,
        name: null,
        role: 'member',
        joined_ms: null,
        unproven: false,
        projects: null,
      })),
    ])
    expect(await roleIn(node, team, userId)).toBeUndefined()
  })

  it('changes roles, which apply to keys with the next request, and keeps the joining times', async () => {
    const team = await newTeam(node)
    const [owner, email] = [await nameOwner(node, team), newEmail()]
    const userId = await newMember(node, team, email, 'owner')
    const [self, other] = [
      { email: owner, role: 'owner' },
      { email, role: 'owner' },
    ]
    const { body: before } = await put(team, [self, other])
    const client = await clientOf(node, team, userId)
    expect((await client('POST', '/v1/apikeys', { name: 'a', role: 'owner' })).status).toBe(200)
    const { body: after } = await put(team, [self, { ...other, role: 'member' }])
    expect((await client('POST', '/v1/apikeys', { name: 'a', role: 'owner' })).status).toBe(403)
    expect(after.members).toEqual([before.members[0], { ...before.members[1], role: 'member' }])
  })

  it('removes members who are omitted, whose keys end with the next request and for good', async () => {
    const team = await newTeam(node)
    const [owner, email] = [await nameOwner(node, team), newEmail()]
    const userId = await newMember(node, team, email)
    const self = { email: owner, role: 'owner' }
    const client = await clientOf(node, team, userId)
    expect((await client('GET', '/v1/projects')).status).toBe(200)
    expect((await put(team, [self])).body.members).toHaveLength(1)
    expect((await client('GET', '/v1/projects')).status).toBe(401)
    await joinAgain(team, userId)
    expect((await client('GET', '/v1/projects')).status).toBe(401)
  })

  it('lists members without an address with null, and removes them if that is omitted', async () => {
    const team = await newTeam(node)
    const member = await addMember(node, team)
    const self = { email: await nameOwner(node, team), role: 'owner' }
    expect((await put(team, [self, { email: null, role: 'member' }])).body.members).toHaveLength(2)
    expect((await member.api('GET', '/v1/projects')).status).toBe(200)
    expect((await put(team, [self])).body.members).toHaveLength(1)
    expect((await member.api('GET', '/v1/projects')).status).toBe(401)
  })

  it('lets an owner leave if another stays, with a success response', async () => {
    const team = await newTeam(node)
    const email = newEmail()
    const userId = await newMember(node, team, email, 'owner')
    const left = await put(team, [{ email, role: 'owner' }])
    expect(left).toMatchObject({ status: 200, body: { members: [{ email }] } })
    expect((await team.owner('GET', '/v1/projects')).status).toBe(401)
    expect(await roleIn(node, team, userId)).toBe('owner')
  })

  it.each([
    ['nobody', []],
    ['only a member', [{ email: null, role: 'member' }]],
    ['only an invited address', [{ email: 'nobody@example.com', role: 'owner' }]],
  ])('409 owner_required for %s, and nothing changes', async (_what, members) => {
    const team = await newTeam(node)
    const before = await membersOf(team)
    const { status, body } = await put(team, members)
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'owner_required' })
    expect(await membersOf(team)).toEqual(before)
  })

  it('keeps an owner while two remove each other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const team = await newTeam(node)
      const [one, two] = [await nameOwner(node, team), newEmail()]
      const other = await newMember(node, team, two, 'owner')
      const otherApi = await clientOf(node, team, other)
      const answers = await Promise.all([
        put(team, [{ email: one, role: 'owner' }]),
        put(team, [{ email: two, role: 'owner' }], otherApi),
      ])
      const statuses = answers.map(({ status }) => status).toSorted()
      // The second one has left the team, or its key is refused already.
      expect([
        [200, 401],
        [200, 404],
      ]).toContainEqual(statuses)
      const roles = [await roleIn(node, team, team.ownerId), await roleIn(node, team, other)]
      expect(roles.filter((role) => role === 'owner')).toHaveLength(1)
    }
  })

  it('of a personal team keeps its one owner', async () => {
    const team = await newTeam(node, { personal: true })
    const email = newEmail()
    await newUser(node, email)
    const self = { email: null, role: 'owner' }
    for (const other of [email, newEmail()]) {
      const refused = await put(team, [self, { email: other, role: 'owner' }])
      expect(refused).toMatchObject({ status: 409, body: { reason: 'personal_team' } })
      expect((await put(team, [self, { email: other, role: 'member' }])).status).toBe(200)
    }
    const replaced = await put(team, [
      { email: null, role: 'member' },
      { email, role: 'owner' },
    ])
    expect(replaced.body.reason).toMatch(/owner_required|personal_team/)
  })
})

it('a key created while its user is removed ends too, or is never created', async () => {
  const team = await newTeam(node)
  const [owner, email] = [await nameOwner(node, team), newEmail()]
  const userId = await newMember(node, team, email)
  const self = { email: owner, role: 'owner' }
  for (let round = 0; round < 5; round += 1) {
    const client = await clientOf(node, team, userId)
    const [made] = await Promise.all([
      client('POST', '/v1/apikeys', { name: unique('key') }),
      put(team, [self]),
    ])
    expect([200, 401]).toContain(made.status)
    await joinAgain(team, userId)
    if (made.status !== 200) continue
    expect((await apiOf(node, made.body.token)('GET', '/v1/projects')).status).toBe(401)
  }
})
