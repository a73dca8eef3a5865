/** Limiting members of a team to some projects. */
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../../support/api.ts'
import { addLimited } from '../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { clientOf, nameOwner, newEmail, newMember, newSignedIn } from './people.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

type Wanted = { email: string | null; role: string; projects?: string[] | null }

/** A team with two projects and a member, whose list of members can be put. */
async function newScene() {
  const team = await newTeam(node)
  const [owner, email] = [{ email: await nameOwner(node, team), role: 'owner' }, newEmail()]
  const userId = await newMember(node, team, email)
  const api = await clientOf(node, team, userId)
  const put = (...others: Wanted[]) =>
    team.owner('PUT', `/v1/teams/${team.slug}`, { members: [owner, ...others] })
  const limitOf = async (of = email) => {
    const { body } = await team.owner('GET', `/v1/teams/${team.slug}`)
    return body.members.find((each: { email: string }) => each.email === of).projects
  }
  const sees = async () => {
    const { body } = await api('GET', '/v1/projects')
    return body.data.map(({ id }: { id: string }) => id)
  }
  const [one, two] = await Promise.all([newProject(team), newProject(team)])
  return { team, owner, email, userId, api, put, limitOf, sees, one, two }
}

async function newProject(team: TestTeam): Promise<{ id: string; name: string }> {
  return (await team.owner('PUT', `/v1/projects/${unique('site')}`)).body
}

describe('the list of members', () => {
  it('limits a member to projects by name or id, at once, and lifts the limit with null', async () => {
    const { email, put, limitOf, sees, one, two } = await newScene()
    const ids = [one.id, two.id].toSorted()
    expect((await sees()).toSorted()).toEqual(ids)
    const member = { email, role: 'member' }
    const { body } = await put({ ...member, projects: [one.name, one.id] })
    expect(body.members[1]).toMatchObject({ email, projects: [one.id] })
    expect(await sees()).toEqual([one.id])
    await put({ ...member, projects: [two.id, one.name] })
    expect(await limitOf()).toEqual(ids)
    await put({ ...member, projects: [] })
    expect(await limitOf()).toEqual([])
    expect(await sees()).toEqual([])
    await put({ ...member, projects: null })
    expect(await limitOf()).toBeNull()
    expect((await sees()).toSorted()).toEqual(ids)
  })

  it('keeps a limit that it leaves out, as older clients do, and writes nothing then', async () => {
    const { team, email, put, limitOf, sees, one, two } = await newScene()
    const { body: limited } = await put({ email, role: 'member', projects: [one.id] })
    expect((await put({ email, role: 'member' })).body).toEqual(limited)
    expect((await put({ email, role: 'member', projects: [one.name] })).body).toEqual(limited)
    await put({ email, role: 'member' }, { email: newEmail(), role: 'member' })
    expect(await limitOf()).toEqual([one.id])
    expect((await team.owner('DELETE', `/v1/projects/${one.id}`)).status).toBe(200)
    await put({ email, role: 'member' })
    expect(await limitOf()).toEqual([])
    expect(await sees()).not.toContain(two.id)
  })

  it('takes what it returned, where owners have no limit', async () => {
    const { team, email, put, one } = await newScene()
    const { body } = await put({ email, role: 'member', projects: [one.id] })
    const members = body.members.map(({ email, role, projects }: Wanted) => ({ email, role, projects }))
    const again = await team.owner('PUT', `/v1/teams/${team.slug}`, { members })
    expect(again).toMatchObject({ status: 200, body })
  })

  it('ends the limit of a member who becomes an owner, for good', async () => {
    const { email, put, limitOf, sees, one, two } = await newScene()
    await put({ email, role: 'member', projects: [one.id] })
    await put({ email, role: 'owner' })
    expect(await limitOf()).toBeNull()
    expect(await sees()).toContain(two.id)
    await put({ email, role: 'member' })
    expect(await limitOf()).toBeNull()
  })

  it.each<[string, Partial<Wanted>, string, RegExp]>([
    ['an owner', { role: 'owner', projects: [] }, 'members.1.projects', /owner, who sees every project/],
    ['a project that isn’t there', { projects: ['nobodys'] }, 'members.1.projects.0', /no project nobodys/],
    ['101 projects', { projects: Array(101).fill('a') }, 'members.1.projects', /at most 100/],
  ])('400 for %s, naming the field, and nothing changes', async (_what, wanted, path, message) => {
    const { email, put, limitOf, one } = await newScene()
    await put({ email, role: 'member', projects: [one.id] })
    const { status, body } = await put({ email, role: 'member', ...wanted })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path, message: expect.stringMatching(message) }])
    expect(await limitOf()).toEqual([one.id])
  })

  it('400 for a project of another team, as for one that isn’t there', async () => {
    const { email, put } = await newScene()
    const theirs = await newProject(await newTeam(node))
    for (const reference of [theirs.id, theirs.name]) {
      const { body } = await put({ email, role: 'member', projects: [reference] })
      expect(body.issues).toEqual([
        { path: 'members.1.projects.0', message: `the team has no project ${reference}` },
      ])
    }
  })

  it('limits whoever is invited from the start, without projects that are deleted meanwhile', async () => {
    const { team, email: known, put, limitOf, one, two } = await newScene()
    const email = newEmail()
    const { api } = await newSignedIn(node, email)
    await put({ email: known, role: 'member' }, { email, role: 'member', projects: [one.name, two.id] })
    expect(await limitOf(email)).toHaveLength(2)
    await put({ email: known, role: 'member' }, { email, role: 'member' })
    await team.owner('DELETE', `/v1/projects/${one.id}`)
    expect(await limitOf(email)).toEqual([two.id])
    const accepted = await api('POST', '/trpc/teams.acceptInvitation', { team: team.slug })
    expect(accepted).toMatchObject({ status: 200, body: { result: { data: { limited: true } } } })
    expect(await limitOf(email)).toEqual([two.id])
    const { body } = await api('GET', '/v1/projects', undefined, { 'x-svc-team': team.slug })
    expect(body.data).toMatchObject([{ id: two.id }])
  })

  it('never gives a limit that a project’s deletion overtakes', async () => {
    const { team, email, put, limitOf } = await newScene()
    for (let round = 0; round < 5; round += 1) {
      const project = await newProject(team)
      const [set, gone] = await Promise.all([
        put({ email, role: 'member', projects: [project.id] }),
        team.owner('DELETE', `/v1/projects/${project.id}`),
      ])
      expect(gone.status).toBe(200)
      expect([200, 400]).toContain(set.status)
      expect((await limitOf()) ?? []).toEqual([])
    }
  })
})

describe('a limited member', () => {
  it('neither lifts its limit, nor invites, nor has a key or team that is without it', async () => {
    const { team, email, userId, api, put, limitOf, one, two } = await newScene()
    await put({ email, role: 'member', projects: [one.id] })
    const { api: session } = await newSession(node, userId)
    const inTeam = { 'x-svc-team': team.slug }
    for (const as of [api, session]) {
      const members = [{ email, role: 'member', projects: null }]
      const lifted = await as('PUT', `/v1/teams/${team.slug}`, { members }, inTeam)
      expect(lifted).toMatchObject({ status: 403, body: { reason: 'role_required' } })
      expect((await as('POST', '/v1/apikeys', { name: 'a', role: 'owner' }, inTeam)).status).toBe(403)
    }
    const { body: key } = await api('POST', '/v1/apikeys', { name: 'mine' })
    expect((await apiOf(node, key.token)('GET', `/v1/projects/${two.id}`)).status).toBe(404)
    expect(await limitOf()).toEqual([one.id])
  })

  it('who is removed and comes back is limited only as the new invitation says', async () => {
    const { team, put, one } = await newScene()
    const member = await addLimited(node, team, [one.id])
    expect((await put({ email: null, role: 'member' })).body.members[1].projects).toEqual([one.id])
    await put()
    expect((await member.api('GET', '/v1/projects')).status).toBe(401)
  })
})
