import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { newEmail } from '../../platform/teams/people.ts'
import { apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

describe('a team', () => {
  it('is found by slug and id, with its members in the order in which they joined', async () => {
    const team = await newTeam(node)
    const member = await addMember(node, team)
    const { status, body } = await team.owner('GET', `/v1/teams/${team.slug}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: team.id,
      slug: team.slug,
      name: team.slug,
      plan: 'free',
      personal: false,
      role: 'owner',
      limited: false,
      second_factor_required: false,
      created_ms: expect.any(Number),
      members: [
        {
          email: null,
          name: 'owner',
          role: 'owner',
          joined_ms: expect.any(Number),
          unproven: false,
          projects: null,
        },
        {
          email: null,
          name: 'member',
          role: 'member',
          joined_ms: expect.any(Number),
          unproven: false,
          projects: null,
        },
      ],
      updated_ms: body.created_ms,
    })
    expect((await team.owner('GET', `/v1/teams/${team.id}`)).body).toEqual(body)
    expect((await member.api('GET', `/v1/teams/${team.id}`)).body).toEqual({ ...body, role: 'member' })
  })

  it('is the only one in the list of its key', async () => {
    const team = await newTeam(node)
    const made = await team.owner('PUT', `/v1/teams/${unique('other')}`)
    expect(made.status).toBe(200)
    const { body } = await team.owner('GET', '/v1/teams')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([team.id])
    expect(body.next_cursor).toBeNull()
    const [listed] = body.data
    expect(listed).not.toHaveProperty('members')
  })

  it("isn't visible to a key of another, even if that key's user is its owner", async () => {
    const team = await newTeam(node)
    const { body: other } = await team.owner('PUT', `/v1/teams/${unique('other')}`)
    const refused = await team.owner('GET', `/v1/teams/${other.slug}`)
    expect(refused).toMatchObject({ status: 404, body: { reason: 'team_not_found' } })
    expect((await team.owner('PUT', `/v1/teams/${other.id}`, { name: 'x' })).status).toBe(404)
    expect((await team.owner('DELETE', `/v1/teams/${other.slug}`)).status).toBe(404)
    expect((await team.owner('PUT', `/v1/teams/${other.slug}`)).body.reason).toBe('name_in_use')
  })
})

describe('PUT at a free slug', () => {
  it("creates a team of the caller's user, with an owner key in this response only", async () => {
    const team = await newTeam(node)
    const slug = unique('made')
    const { status, body } = await team.owner('PUT', `/v1/teams/${slug}`, { name: 'Made' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ slug, name: 'Made', plan: 'free', personal: false, role: 'owner' })
    expect(body.api_key).toMatch(/^svc_\w{38}$/)
    expect(body.members).toHaveLength(1)

    const made = apiOf(node, body.api_key)
    const { api_key: _, ...record } = body
    expect((await made('GET', `/v1/teams/${slug}`)).body).toEqual(record)
    expect((await made('PUT', '/v1/projects/web')).status).toBe(200)
    const again = await made('PUT', `/v1/teams/${slug}`, { name: 'Made' })
    expect(again.status).toBe(200)
    expect(again.body).not.toHaveProperty('api_key')
    expect((await team.owner('GET', '/v1/projects')).body.data).toEqual([])
    expect(node.logged.join()).not.toContain(body.api_key)
  })

  it('defaults the name to the slug, and accepts a list of members', async () => {
    const team = await newTeam(node)
    const slug = unique('made')
    const email = newEmail()
    const members = [
      { email: null, role: 'owner' },
      { email, role: 'member' },
    ]
    const { body } = await team.owner('PUT', `/v1/teams/${slug}`, { members })
    expect(body).toMatchObject({ name: slug, updated_ms: body.created_ms })
    expect(body.members).toMatchObject([{ role: 'owner' }, { email, joined_ms: null }])
  })

  it('409 name_in_use for the slug of another team, which stays as it is', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const refused = await team.owner('PUT', `/v1/teams/${other.slug}`, { name: 'Mine' })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'name_in_use' } })
    expect((await other.owner('GET', `/v1/teams/${other.slug}`)).body.name).toBe(other.slug)
  })

  it('409 that explains which key it needs for another team of the same user', async () => {
    const team = await newTeam(node)
    const slug = unique('made')
    const { body: made } = await team.owner('PUT', `/v1/teams/${slug}`)
    const refused = await team.owner('PUT', `/v1/teams/${slug}`, { name: 'Mine' })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'name_in_use' } })
    expect(refused.body.message).toContain(`You own the team ${slug}`)
    expect(refused.body.message).toContain(`use an API key of ${slug}`)
    const { status, body } = await apiOf(node, made.api_key)('PUT', `/v1/teams/${slug}`, { name: 'Mine' })
    expect([status, body.name]).toEqual([200, 'Mine'])
  })

  it('responds the same for a team of others, whether its user is a member there or not', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const { db } = node.installation.store
    const before = await team.owner('PUT', `/v1/teams/${other.slug}`)
    const member = { teamId: other.id, userId: team.ownerId, role: 'member' as const, joinedMs: 1 }
    await db.insert(members).values(member)
    const after = await team.owner('PUT', `/v1/teams/${other.slug}`)
    expect(after.body.message).toBe(before.body.message)
    expect(after.body.message).toBe(`The slug ${other.slug} is in use. Choose another.`)
  })

  it('creates one team from many concurrent calls', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const slug = unique('made')
    const calls = [team, team, other, other].map(({ owner }) => owner('PUT', `/v1/teams/${slug}`))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409])
  })

  it.each(['www', 'ns1', 'api', 'Acme', 'a_b', '-a', 'a-', 'xn--a', 'a'.repeat(41), 'team_1', 'a.b'])(
    '400 for %s',
    async (slug) => {
      const team = await newTeam(node)
      const { status, body } = await team.owner('PUT', `/v1/teams/${slug}`)
      expect(status).toBe(400)
      expect(body.issues).toMatchObject([{ path: 'team' }])
    },
  )

  it('404 if the caller has read a team there', async () => {
    const team = await newTeam(node)
    const slug = unique('gone')
    const { status, body } = await team.owner('PUT', `/v1/teams/${slug}`, { updated_ms: 1 })
    expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'team_not_found' })
  })

  it('409 too_many_teams from the 101st made within a day on, counting deleted ones', async () => {
    const team = await newTeam(node)
    const { db } = node.installation.store
    const change = (to: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(to).where(eq(users.id, team.ownerId))
    const make = (path = `/v1/teams/${unique('made')}`) => team.owner('PUT', path)
    await change({ teamsMade: 98, teamsMadeSinceMs: Date.now() })
    for (let made = 98; made < 100; made += 1) {
      const path = `/v1/teams/${unique('made')}`
      const { body } = await make(path)
      const itsOwner = apiOf(node, body.api_key)
      expect(await itsOwner('DELETE', path)).toMatchObject({ status: 200 })
    }
    expect(await make()).toMatchObject({ status: 409, body: { reason: 'too_many_teams' } })
    await change({ teamsMadeSinceMs: Date.now() - 86_400_000 })
    expect(await make()).toMatchObject({ status: 200 })
  })

  it('409 too_many_teams from the 21st on, also for concurrent calls', async () => {
    const team = await newTeam(node)
    const prefix = unique('many')
    const calls = Array.from({ length: 22 }, (_, i) => team.owner('PUT', `/v1/teams/${prefix}-${i}`))
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status !== 200)
    // The existing one counts, too.
    expect(refused.map(({ status, body }) => [status, body.reason])).toEqual(
      Array(3).fill([409, 'too_many_teams']),
    )
  })
})

describe('PUT at a team', () => {
  it('changes the named fields, and updated_ms with them', async () => {
    const team = await newTeam(node)
    const path = `/v1/teams/${team.slug}`
    const { body: one } = await team.owner('PUT', path, { name: 'One' })
    const { body: two } = await team.owner('PUT', path, { name: 'Two' })
    expect(two).toMatchObject({ name: 'Two', slug: team.slug, members: one.members })
    expect(two.updated_ms).toBeGreaterThan(one.updated_ms)
    expect((await team.owner('PUT', path, {})).body).toEqual(two)
  })

  it('409 changed_since if it has changed since it was read', async () => {
    const team = await newTeam(node)
    const path = `/v1/teams/${team.slug}`
    const { body: read } = await team.owner('GET', path)
    const { updated_ms } = read
    const both = await Promise.all([
      team.owner('PUT', path, { name: 'A', updated_ms }),
      team.owner('PUT', path, { name: 'B', updated_ms }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.reason).toBe('changed_since')
    const won = both.find(({ status }) => status === 200)?.body
    expect((await team.owner('GET', path)).body).toEqual(won)
  })

  it.each<[unknown, string]>([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: null }, 'name'],
    [{ slug: 'other' }, 'slug'],
    [{ plan: 'enterprise' }, 'plan'],
    [{ personal: true }, 'personal'],
    [{ members: [{ email: 'ada', role: 'owner' }] }, 'members.0.email'],
    [{ members: [{ email: 'ada@example.com', role: 'king' }] }, 'members.0.role'],
    [{ members: [{ email: 'ada@example.com' }] }, 'members.0.role'],
    [{ members: [{ email: 'ada@example.com', role: 'owner', user: 'x' }] }, 'members.0.user'],
    [
      {
        members: [
          { email: 'ada@example.com', role: 'owner' },
          { email: 'Ada@Example.com', role: 'member' },
        ],
      },
      'members',
    ],
    [{ members: Array(501).fill({ email: 'ada@example.com', role: 'owner' }) }, 'members'],
    [{ members: [{ email: `${'a'.repeat(250)}@example.com`, role: 'owner' }] }, 'members.0.email'],
    [{ updated_ms: -1 }, 'updated_ms'],
  ])('400 that names what is wrong (%#)', async (input, path) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', `/v1/teams/${team.slug}`, input)
    expect(status).toBe(400)
    expect(body.issues[0].path).toBe(path)
  })

  it('403 for a member key, even of an owner', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const asMember = apiOf(node, key.token)
    for (const slug of [team.slug, unique('free')]) {
      const { status, body } = await asMember('PUT', `/v1/teams/${slug}`, { name: 'x' })
      expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'role_required' })
    }
    expect((await asMember('GET', `/v1/teams/${team.slug}`)).body).toMatchObject({
      name: team.slug,
      role: 'member',
    })
  })
})
