/** Keys with limits: which can be made, by whom, and how they are listed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../../../support/api.ts'
import { addLimited, newLimitedKey } from '../../../support/limits.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

type Owner = Pick<TestTeam, 'owner'>

async function create({ owner }: Owner, limits: object) {
  const { status, body } = await owner('POST', '/trpc/tokens.createLimitedKey', { name: 'ci', ...limits })
  return { status, made: body.result?.data, error: body.error?.data }
}

async function details({ owner }: Owner) {
  return (await owner('GET', '/trpc/tokens.keyDetails?input=%7B%7D')).body.result.data.data
}

describe('a key with limits', () => {
  it('is made with its token, and listed with its limits, of projects by name', async () => {
    const team = await newTeam(node)
    for (const name of ['two', 'one']) await team.owner('PUT', `/v1/projects/${name}`)
    const { body: one } = await team.owner('GET', '/v1/projects/one')
    const endsMs = Date.now() + hourMs
    const { status, made } = await create(team, {
      expires_ms: endsMs,
      projects: ['two', one.id, 'one'],
      read_only: true,
    })
    const limits = { expires_ms: endsMs, projects: ['one', 'two'], read_only: true }
    expect({ status, made }).toMatchObject({ status: 200, made: { name: 'ci', role: 'member', ...limits } })
    expect(made.token).toMatch(/^svc_/)
    const [listed, first] = await details(team)
    const { token: _, ...record } = made
    expect(listed).toEqual({
      ...record,
      created_by: team.ownerId,
      created_by_name: expect.any(String),
      expired: false,
    })
    expect(first).toMatchObject({ expires_ms: null, projects: null, read_only: false, expired: false })
  })

  it('has in REST the record of any key, and no other', async () => {
    const team = await newTeam(node)
    const { id } = await newLimitedKey(team, { read_only: true })
    const { body } = await team.owner('GET', '/v1/apikeys')
    const record = body.data.find((each: { id: string }) => each.id === id)
    expect(Object.keys(record).toSorted()).toEqual([
      'created_ms',
      'id',
      'last_used_ms',
      'name',
      'prefix',
      'role',
      'team',
    ])
    const refused = await team.owner('POST', '/v1/apikeys', { name: 'x', read_only: true })
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'read_only' }] } })
  })

  it.each<[string, object, string]>([
    ['in the past', { expires_ms: 1_790_000 }, 'expires_ms'],
    ['in more than ten years', { expires_ms: Date.now() + 11 * yearMs }, 'expires_ms'],
    ['that is no whole number', { expires_ms: 1.5 }, 'expires_ms'],
  ])('is refused with an end %s, by the name of the field', async (_, limits, path) => {
    const team = await newTeam(node)
    expect(await create(team, limits)).toMatchObject({
      status: 400,
      error: { reason: 'invalid_input', issues: [{ path }] },
    })
    expect(await details(team)).toHaveLength(1)
  })

  it('is refused with projects that are none of the team, with none, and for owners', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    await team.owner('PUT', '/v1/projects/web')
    const { body: foreign } = await other.owner('PUT', '/v1/projects/theirs')
    const refused = async (limits: object) => (await create(team, limits)).error.issues[0].path
    expect(await refused({ projects: ['web', foreign.id] })).toBe('projects.1')
    expect(await refused({ projects: ['theirs'] })).toBe('projects.0')
    expect(await refused({ projects: [] })).toBe('projects')
    expect(await refused({ projects: ['web'], role: 'owner' })).toBe('projects')
    expect(await details(team)).toHaveLength(1)
  })

  it('may be an owner key with an end, or read-only', async () => {
    const team = await newTeam(node)
    const { made } = await create(team, { role: 'owner', expires_ms: Date.now() + 9 * yearMs })
    expect(made).toMatchObject({ role: 'owner', projects: null })
    const { api } = await addMember(node, team)
    expect(await create({ owner: api }, { role: 'owner' })).toMatchObject({
      status: 403,
      error: { reason: 'role_required' },
    })
  })

  it('of a limited member is for projects of theirs, and stays within them', async () => {
    const team = await newTeam(node)
    const { body: seen } = await team.owner('PUT', '/v1/projects/seen')
    await team.owner('PUT', '/v1/projects/hidden')
    const { api } = await addLimited(node, team, [seen.id])
    expect((await create({ owner: api }, { projects: ['seen', 'hidden'] })).error.issues[0].path).toBe(
      'projects.1',
    )
    const { made } = await create({ owner: api }, { projects: ['seen'] })
    expect((await apiOf(node, made.token)('GET', '/v1/projects')).body.data).toMatchObject([{ id: seen.id }])
  })

  it('leaves a line in the trail with its limits', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const endsMs = Date.UTC(2030, 0, 2, 3)
    const { made } = await create(team, { projects: ['web'], expires_ms: endsMs })
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&q=key')
    expect(body.data.map(({ message }: { message: string }) => message)).toEqual([
      `limited key ci (${made.prefix}) to web, until 2030-01-02T03:00:00.000Z`,
      `made member key ci (${made.prefix})`,
    ])
  })
})

describe('with a key that has limits', () => {
  it('nobody makes another one, nor a team with one', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const keys = await Promise.all([
      newLimitedKey(team, { role: 'owner', expires_ms: Date.now() + hourMs }),
      newLimitedKey(team, { projects: ['web'] }),
    ])
    const ids = async () => (await details(team)).map(({ id }: { id: string }) => id)
    const before = await ids()
    for (const { key } of keys) {
      const api = apiOf(node, key)
      const headers = { 'idempotency-key': `same-${key}` }
      expect(await api('POST', '/v1/apikeys', { name: 'free' }, headers)).toMatchObject({
        status: 403,
        body: { reason: 'scope' },
      })
      expect(await create({ owner: api }, { read_only: true })).toMatchObject({
        status: 403,
        error: { reason: 'scope' },
      })
      expect((await api('PUT', `/v1/teams/${team.slug}-new`, {})).status).toBe(403)
      expect((await api('GET', '/trpc/teams.invitations?input=%7B%7D')).body.error.data.reason).toBe('scope')
    }
    expect(await ids()).toEqual(before)
  })

  it('of one project that key alone is listed and revoked', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const other = await newLimitedKey(team, { read_only: true })
    const own = await newLimitedKey(team, { projects: ['web'] })
    const owner = apiOf(node, own.key)
    expect(await details({ owner })).toMatchObject([{ id: own.id, projects: ['web'] }])
    expect((await owner('GET', '/v1/apikeys')).body.data).toMatchObject([{ id: own.id }])
    expect((await owner('DELETE', `/v1/apikeys/${other.id}`)).body.reason).toBe('key_not_found')
    expect((await owner('DELETE', `/v1/apikeys/${own.id}`)).status).toBe(200)
    expect((await owner('GET', '/v1/apikeys')).status).toBe(401)
  })
})
