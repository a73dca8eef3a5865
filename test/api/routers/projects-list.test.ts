import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

async function newProjects(names: string[]): Promise<TestTeam> {
  const team = await newTeam(node)
  for (const name of names) await team.owner('PUT', `/v1/projects/${name}`)
  return team
}

async function names(team: TestTeam, query = ''): Promise<string[]> {
  const { status, body } = await team.owner('GET', `/v1/projects${query}`)
  expect(status).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

async function walk(team: TestTeam, query: string, between = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await team.owner('GET', `/v1/projects?${query}${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...body.data.map(({ name }: { name: string }) => name))
    cursor = body.next_cursor
    await between()
  } while (cursor)
  return seen
}

describe('GET /v1/projects', () => {
  it("lists the team's projects by name, each as GET returns it, without branches", async () => {
    const team = await newProjects(['zoo', 'api', 'web', 'a-b', 'ab'])
    const { body } = await team.owner('GET', '/v1/projects')
    const listed = body.data.map(({ name }: { name: string }) => name)
    expect(listed).toEqual(['a-b', 'ab', 'api', 'web', 'zoo'])
    expect(body.next_cursor).toBeNull()
    const { branches, ...web } = (await team.owner('GET', '/v1/projects/web')).body
    expect(branches).toEqual([])
    expect(body.data[3]).toEqual(web)
  })

  it('lists nothing for a team without projects, and nothing of others', async () => {
    await newProjects(['theirs'])
    expect(await names(await newTeam(node))).toEqual([])
  })

  it('with q lists those whose name contains it, in any case', async () => {
    const team = await newProjects(['shop', 'my-shop', 'shopping', 'blog'])
    expect(await names(team, '?q=shop')).toEqual(['my-shop', 'shop', 'shopping'])
    expect(await names(team, '?q=SHOP')).toEqual(['my-shop', 'shop', 'shopping'])
    expect(await names(team, '?q=my-')).toEqual(['my-shop'])
    expect(await names(team, '?q=')).toHaveLength(4)
    expect(await names(team, '?q=nothing')).toEqual([])
  })

  it('with q takes special characters literally', async () => {
    const team = await newProjects(['shop', 'my-shop'])
    for (const q of ['%', '_', '.', '*', 's%p', "'", '\\']) {
      expect(await names(team, `?q=${encodeURIComponent(q)}`), q).toEqual([])
    }
  })

  it('returns every project once, page by page, also with q', async () => {
    const all = Array.from({ length: 9 }, (_, i) => `web-${i}`)
    const team = await newProjects(['blog', ...all])
    for (const limit of [1, 3, 9, 10]) expect(await walk(team, `limit=${limit}&q=web`)).toEqual(all)
    expect(await walk(team, 'limit=4')).toEqual(['blog', ...all])
  })

  it('neither repeats nor skips any while others are added, deleted and renamed', async () => {
    const before = ['b', 'd', 'f', 'h', 'j', 'l', 'n', 'p']
    const team = await newProjects(before)
    const steps = [
      () => team.owner('PUT', '/v1/projects/z'),
      () => team.owner('DELETE', '/v1/projects/d'),
      () => team.owner('PUT', '/v1/projects/b', { name: 'aa' }),
      () => team.owner('PUT', '/v1/projects/a'),
    ]
    const seen = await walk(team, 'limit=2', async () => void (await steps.shift()?.()))
    expect(seen).toEqual([...before, 'z'])
  })

  it.each([
    ['q', 'x'.repeat(101)],
    ['search', 'x'],
  ])('400 that names %s', async (name, value) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('GET', `/v1/projects?${name}=${value}`)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: name }])
  })

  it('400 for q with a NUL', async () => {
    const { status } = await (await newTeam(node)).owner('GET', '/v1/projects?q=a%00b')
    expect(status).toBe(400)
  })
})
