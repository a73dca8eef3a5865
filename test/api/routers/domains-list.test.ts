import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

// Without a worker, which would check claims at any moment.
let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

async function names(team: TestTeam, query = ''): Promise<string[]> {
  const { status, body } = await team.owner('GET', `/v1/domains${query}`)
  expect(status).toBe(200)
  return body.data.map(({ domain }: { domain: string }) => domain)
}

async function walk(team: TestTeam, query: string, between = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await team.owner('GET', `/v1/domains?${query}${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...body.data.map(({ domain }: { domain: string }) => domain))
    cursor = body.next_cursor
    await between()
  } while (cursor)
  return seen
}

/**
 * A team with a verified name, two below it, and two pending, of which one of each is attached to its project
 * `web`.
 */
async function newDomains() {
  const team = await newTeam(node)
  const { body: project } = await team.owner('PUT', '/v1/projects/web')
  const [top, pending] = [`${unique('a-proven')}.com`, `${unique('b-pending')}.com`]
  await claim(node, team, top, { proven: true })
  const put = (name: string, changes = {}) => team.owner('PUT', `/v1/domains/${name}`, changes)
  await put(`x.${top}`, { project: 'web' })
  await put(`y.${top}`)
  await put(pending)
  await put(`x.${pending}`, { project: 'web' })
  return { team, project, top, pending }
}

describe('GET /v1/domains', () => {
  it("lists the team's domains by name, each as GET returns it", async () => {
    const { team, top, pending } = await newDomains()
    const { body } = await team.owner('GET', '/v1/domains')
    const listed = body.data.map(({ domain }: { domain: string }) => domain)
    expect(listed).toEqual([top, pending, `x.${top}`, `x.${pending}`, `y.${top}`])
    expect(body.next_cursor).toBeNull()
    for (const domain of body.data) {
      expect((await team.owner('GET', `/v1/domains/${domain.id}`)).body).toEqual(domain)
    }
  })

  it('lists nothing for a team without domains', async () => {
    expect(await names(await newTeam(node))).toEqual([])
  })

  it('filters by verified or not', async () => {
    const { team, top, pending } = await newDomains()
    expect(await names(team, '?verified=true')).toEqual([top, `x.${top}`, `y.${top}`])
    expect(await names(team, '?verified=false')).toEqual([pending, `x.${pending}`])
  })

  it('filters by project, by name or id, also combined with verified', async () => {
    const { team, project, top, pending } = await newDomains()
    for (const reference of ['web', project.id]) {
      expect(await names(team, `?project=${reference}`)).toEqual([`x.${top}`, `x.${pending}`])
      expect(await names(team, `?project=${reference}&verified=true`)).toEqual([`x.${top}`])
    }
    for (const unknown of ['nobodys', newId('project', 1)]) {
      expect(await names(team, `?project=${unknown}`)).toEqual([])
    }
  })

  it('returns every domain once, page by page, also with filters', async () => {
    const { team, top, pending } = await newDomains()
    const all = [top, pending, `x.${top}`, `x.${pending}`, `y.${top}`]
    for (const limit of [1, 2, 5]) expect(await walk(team, `limit=${limit}`)).toEqual(all)
    expect(await walk(team, 'limit=1&verified=true')).toEqual([top, `x.${top}`, `y.${top}`])
    expect(await walk(team, 'limit=1&project=web')).toEqual([`x.${top}`, `x.${pending}`])
  })

  it('neither repeats nor skips any while others are added and deleted', async () => {
    const team = await newTeam(node)
    const top = `${unique('walk')}.com`
    const put = (label: string) => team.owner('PUT', `/v1/domains/${label}.${top}`)
    const before = ['b', 'd', 'f', 'h', 'j', 'l']
    for (const label of before) await put(label)
    const steps = [
      () => put('z'),
      () => team.owner('DELETE', `/v1/domains/b.${top}`),
      () => Promise.all(['a', 'aa', 'c'].map(put)),
    ]
    const seen = await walk(team, 'limit=2', async () => void (await steps.shift()?.()))
    expect(seen).toEqual([...before, 'z'].map((label) => `${label}.${top}`))
  })

  it.each([
    ['verified', 'yes'],
    ['verified', '1'],
    ['verified', ''],
    ['project', ''],
    ['q', 'x'],
  ])('400 that names %s: %s', async (name, value) => {
    const { status, body } = await (await newTeam(node)).owner('GET', `/v1/domains?${name}=${value}`)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: name }])
  })
})
