/** A team that requires a second factor: sessions without one are refused in it, and nothing else is. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/api/client/index.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { joinNewTeam, newSession, type TestSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let weak: TestSession
let strong: TestSession

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  weak = await newSession(node, team.ownerId)
  strong = await newSession(node, team.ownerId)
  await prove(strong, 'second_factor')
})

async function prove({ id }: TestSession, provenBy: 'second_factor' | 'provider', of = node): Promise<void> {
  await of.installation.store.db.update(sessions).set({ provenBy }).where(eq(sessions.id, id))
}

/** With the team of the user's only membership. */
const clientOf = ({ token }: { token: string }, of = node) =>
  createClient({ url: of.apiUrl, token, retry: false })

const require = (session: { token: string }, required = true) =>
  clientOf(session).teams.requireSecondFactor.mutate({ team: team.id, required })

const refused = { data: { reason: 'second_factor_required', httpStatus: 403 } }

describe('the requirement', () => {
  it('is an owner’s to set, and to lift, with a session that meets it or a key', async () => {
    await expect(require(weak)).rejects.toMatchObject(refused)
    expect(await require(strong)).toMatchObject({ slug: team.slug, second_factor_required: true })
    expect(await require({ token: team.ownerKey }, false)).toMatchObject({ second_factor_required: false })
    const member = await addMember(node, team)
    await expect(require({ token: member.key })).rejects.toMatchObject({ data: { reason: 'role_required' } })
  })

  it('refuses a session without a second factor whatever is about the team, at once', async () => {
    const client = clientOf(weak)
    await client.projects.list.query({})
    await require(strong)
    for (const call of [
      () => client.projects.list.query({}),
      () => client.projects.put.mutate({ project: 'web' }),
      () => client.observability.overview.query({}),
      () => client.tokens.createKey.mutate({ name: 'ci' }),
      () => client.teams.get.query({ team: team.slug }),
      () => client.teams.put.mutate({ team: team.slug, name: 'Another name' }),
      () => client.teams.delete.mutate({ team: team.slug }),
      () => require(weak, false),
    ])
      await expect(call()).rejects.toMatchObject(refused)
    expect((await weak.api('GET', `/v1/teams/${team.slug}`)).body.reason).toBe('second_factor_required')
  })

  it('holds whichever of the user’s teams the session has selected', async () => {
    const other = await joinNewTeam(node, team.ownerId)
    const { id } = await clientOf({ token: team.ownerKey }).teams.put.mutate({
      team: team.slug,
      members: [
        { email: null, role: 'owner' },
        { email: 'grace@example.com', role: 'member' },
      ],
    })
    await require(strong)
    const { token } = weak
    const client = createClient({ url: node.apiUrl, token, team: other.slug, retry: false })
    await client.projects.list.query({})
    for (const call of [
      () => client.teams.get.query({ team: id }),
      () => client.teams.put.mutate({ team: id, name: 'Another name' }),
      () => client.teams.delete.mutate({ team: id }),
      () => client.teams.requireSecondFactor.mutate({ team: id, required: false }),
      () => client.invitationLinks.create.mutate({ team: id, email: 'grace@example.com' }),
      () => client.invitationLinks.list.query({ team: id }),
      () => client.invitationLinks.revoke.mutate({ team: id, id: 'inv_1' }),
    ])
      await expect(call()).rejects.toMatchObject(refused)
  })

  it('leaves people their account, where they set one up, and their list of teams', async () => {
    await require(strong)
    const client = clientOf(weak)
    expect((await client.account.get.query({})).user.id).toBe(team.ownerId)
    const { data } = await client.teams.list.query({})
    expect(data).toContainEqual(expect.objectContaining({ slug: team.slug, second_factor_required: true }))
  })

  it.each(['second_factor', 'provider'] as const)('is met by a session of %s', async (provenBy) => {
    await require(strong)
    const session = await newSession(node, team.ownerId)
    await prove(session, provenBy)
    await clientOf(session).projects.list.query({})
  })

  it('leaves keys alone, also of people without one', async () => {
    await require(strong)
    const member = await addMember(node, team)
    for (const api of [team.owner, member.api]) expect((await api('GET', '/v1/projects')).status).toBe(200)
  })

  it('ends a stream of events that such a session follows', async () => {
    const stream = clientOf(weak).events.follow.subscribe({}, { onError: (error) => errors.push(error) })
    const errors: unknown[] = []
    await require(strong)
    await eventually(() => expect(errors[0]).toMatchObject(refused))
    stream.unsubscribe()
  })
})

it('holds for JWTs of such sessions, and not for those of keys', async () => {
  const there = await enforcingNode()
  team = await newTeam(there)
  const [mine, proven] = [await newSession(there, team.ownerId), await newSession(there, team.ownerId)]
  await prove(proven, 'second_factor', there)
  const [ofWeak, ofProven] = [await mint(there, mine.token), await mint(there, proven.token)]
  const ofKey = await mint(there, team.ownerKey)
  const required = { team: team.id, required: true }
  await clientOf(ofProven, there).teams.requireSecondFactor.mutate(required)
  await expect(clientOf(ofWeak, there).projects.list.query({})).rejects.toMatchObject(refused)
  // One can still be had, for calls about the account.
  const again = clientOf(await mint(there, mine.token), there)
  expect((await again.account.get.query({})).user.id).toBe(team.ownerId)
  await expect(again.projects.list.query({})).rejects.toMatchObject(refused)
  for (const jwt of [ofProven, ofKey]) await clientOf(jwt, there).projects.list.query({})
})
