import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const valid = ['a', '0', 'a-b', 'web2', '2web', 'a'.repeat(40), `ab-${'c'.repeat(36)}d`, 'x-n--y']

const invalid = [
  ['an uppercase letter', 'Web'],
  ['41 characters', 'a'.repeat(41)],
  ['a leading dash', '-web'],
  ['a trailing dash', 'web-'],
  ['xn--', 'xn--bcher-kva'],
  ['another reserved prefix', 'ab--c'],
  ['a dot', 'web.site'],
  ['an underscore', 'web_site'],
  ['a space', 'web site'],
  ['an umlaut', 'bücher'],
  ['a slash', 'web/site'],
  ['a line break', 'web\n'],
] as const

describe("a project's name", () => {
  it.each(valid)('may be %s', async (name) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', `/v1/projects/${name}`)
    expect(status).toBe(200)
    expect(body.name).toBe(name)
  })

  it.each(invalid)('400 that names the path parameter for %s', async (_, name) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', `/v1/projects/${encodeURIComponent(name)}`)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'project' }])
    expect(body.message).toContain('DNS label')
  })

  it.each(invalid)('400 that names name when it is renamed to %s', async (_, name) => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const { status, body } = await team.owner('PUT', '/v1/projects/web', { name })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'name' }])
  })

  it('may be used by two teams', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const made = [await one.owner('PUT', '/v1/projects/shop'), await two.owner('PUT', '/v1/projects/shop')]
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    expect(made[0]?.body.id).not.toBe(made[1]?.body.id)
    expect(made[0]?.body.production_url).not.toBe(made[1]?.body.production_url)
  })
})

describe('renaming a project', () => {
  it('keeps its id and its host; the old name is unknown then', async () => {
    const team = await newTeam(node)
    const { body: made } = await team.owner('PUT', '/v1/projects/old')
    const { status, body } = await team.owner('PUT', '/v1/projects/old', { name: 'new' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...made, name: 'new', updated_ms: body.updated_ms })
    expect((await team.owner('GET', '/v1/projects/old')).status).toBe(404)
    expect((await team.owner('GET', '/v1/projects/new')).body).toEqual(body)
  })

  it('keeps the host also after the next rename, and another project gets another host', async () => {
    const team = await newTeam(node)
    const { body: made } = await team.owner('PUT', '/v1/projects/old')
    await team.owner('PUT', '/v1/projects/old', { name: 'new' })
    await team.owner('PUT', '/v1/projects/new', { name: 'newest' })
    const { body: second } = await team.owner('PUT', '/v1/projects/old')
    expect(second.production_url).not.toBe(made.production_url)
    expect((await team.owner('GET', '/v1/projects/newest')).body.production_url).toBe(made.production_url)
  })

  it('works by id, and to its current name', async () => {
    const team = await newTeam(node)
    const { body: made } = await team.owner('PUT', '/v1/projects/web')
    expect((await team.owner('PUT', `/v1/projects/${made.id}`, { name: 'site' })).body.name).toBe('site')
    expect((await team.owner('PUT', '/v1/projects/site', { name: 'site' })).status).toBe(200)
  })

  it('creates the project when the name is that of the path', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', '/v1/projects/web', { name: 'web' })
    expect(status).toBe(200)
    expect(body.name).toBe('web')
  })

  it('404 for a missing one, and nothing is created', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('PUT', '/v1/projects/old', { name: 'new' })
    expect(status).toBe(404)
    expect(body.reason).toBe('project_not_found')
    expect((await team.owner('GET', '/v1/projects')).body.data).toEqual([])
  })

  it('409 name_in_use when another project has that name, and nothing changes', async () => {
    const team = await newTeam(node)
    const { body: one } = await team.owner('PUT', '/v1/projects/one')
    await team.owner('PUT', '/v1/projects/two')
    for (const reference of ['one', one.id]) {
      const { status, body } = await team.owner('PUT', `/v1/projects/${reference}`, {
        name: 'two',
        spa: true,
      })
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_in_use' })
      expect(body.message).toContain('two')
    }
    expect((await team.owner('GET', '/v1/projects/one')).body).toEqual(one)
  })

  it("ignores another team's project of that name", async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    await one.owner('PUT', '/v1/projects/taken')
    await two.owner('PUT', '/v1/projects/mine')
    expect((await two.owner('PUT', '/v1/projects/mine', { name: 'taken' })).status).toBe(200)
  })

  it('gives one of two concurrent renames to the same name 409', async () => {
    const team = await newTeam(node)
    for (const name of ['one', 'two']) await team.owner('PUT', `/v1/projects/${name}`)
    const answers = await Promise.all(
      ['one', 'two'].map((name) => team.owner('PUT', `/v1/projects/${name}`, { name: 'same' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { body } = await team.owner('GET', '/v1/projects')
    expect(body.data).toHaveLength(2)
  })

  it('404 by the id of another kind', async () => {
    const team = await newTeam(node)
    expect((await team.owner('GET', `/v1/projects/${newId('deployment', 1)}`)).status).toBe(404)
  })
})
