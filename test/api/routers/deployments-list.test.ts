import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { deploy, insertDeployment } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { isShort } from '../../support/short.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
/** One team with deployments that differ in everything that can be filtered; the project `other` has one. */
let team: TestTeam
let other: { id: string }

const rows = [
  { name: 'a', target: 'production', state: 'ready', meta: { branch: 'main' }, createdMs: 1_000 },
  { name: 'b', target: 'preview', state: 'ready', meta: { branch: 'feature' }, createdMs: 2_000 },
  { name: 'c', target: 'preview', state: 'error', meta: { branch: 'main' }, createdMs: 3_000 },
  { name: 'd', target: 'production', state: 'queued', meta: {}, createdMs: 4_000 },
  { name: 'e', target: 'preview', state: 'building', meta: { branch: '' }, createdMs: 5_000 },
  { name: 'f', target: 'preview', state: 'canceled', meta: { Branch: 'main', b: 'main' }, createdMs: 6_000 },
  {
    name: 'g',
    target: 'production',
    state: 'ready',
    meta: { branch: 'main' },
    createdMs: 7_000,
  },
] as const

const nameOf = new Map<string, string>()

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  other = (await team.owner('PUT', '/v1/projects/other')).body
  for (const { name, ...row } of rows) {
    const project = name === 'g' ? { projectId: other.id } : {}
    nameOf.set(await insertDeployment(node, team, { ...row, ...project, meta: { ...row.meta } }), name)
  }
})

/** The names of the deployments in a list, in its order. */
async function names(query: string, api = team.owner): Promise<string> {
  const { status, body } = await api('GET', `/v1/deployments${query}`)
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: string }) => nameOf.get(id) ?? '?').join('')
}

describe('GET /v1/deployments', () => {
  it("returns the team's deployments of all projects, newest first", async () => {
    expect(await names('')).toBe('gfedcba')
  })

  it('returns each as GET of it does', async () => {
    const mine = await newTeam(node)
    const made = await deploy(mine, { target: 'production', meta: { branch: 'main' } })
    const { body } = await mine.owner('GET', '/v1/deployments')
    expect(body).toEqual({ data: [made], next_cursor: null })
    expect((await mine.owner('GET', `/v1/deployments/${made.id}`)).body).toEqual(made)
  })

  it('returns how many files each has, and bytes', async () => {
    const mine = await newTeam(node)
    const files = ['a', 'b', 'c/d'].map((path) => ({ path, content: 'bücher' }))
    const made = await deploy(mine, { files })
    for (const path of [
      '/v1/deployments',
      '/v1/deployments?state=ready,error',
      `/v1/deployments/${made.id}`,
    ]) {
      const { body } = await mine.owner('GET', path)
      expect((body.data ?? [body])[0]).toMatchObject({ id: made.id, files: 3, bytes: 21 })
    }
  })

  it('returns the same to a member', async () => {
    expect(await names('', (await addMember(node, team)).api)).toBe('gfedcba')
  })

  it.each([
    ['?project=web', 'fedcba'],
    ['?project=other', 'g'],
    ['?project=<other>', 'g'],
    ['?project=nothing', ''],
    [`?project=${newId('project', 1)}`, ''],
    ['?target=production', 'gda'],
    ['?target=preview', 'fecb'],
    ['?state=ready', 'gba'],
    ['?state=queued,building', 'ed'],
    ['?state=ready,error,canceled', 'gfcba'],
    ['?state=ready,ready', 'gba'],
    ['?state=ready,error,ready', 'gcba'],
    ['?state=error%2Cready', 'gcba'],
    ['?state=queued,building,ready,error,canceled', 'gfedcba'],
    ['?branch=main', 'gca'],
    ['?branch=feature', 'b'],
    ['?branch=', 'e'],
    ["?branch='%20or%20true--", ''],
    ['?since_ms=5000', 'gfe'],
    ['?until_ms=3000', 'ba'],
    ['?since_ms=3000&until_ms=5000', 'dc'],
    ['?since_ms=5000&until_ms=5000', ''],
    ['?since_ms=7001', ''],
    ['?project=web&branch=main&state=ready&target=production&since_ms=0&until_ms=7000', 'a'],
    ['?target=preview&state=ready,error&branch=main', 'c'],
    ['?project=other&target=preview', ''],
  ])('%s returns %s', async (query, expected) => {
    expect(await names(query.replace('<other>', other.id))).toBe(expected)
  })

  it.each([
    ['target', 'staging'],
    ['state', 'done'],
    ['state', ''],
    ['state', 'ready,'],
    ['state', ',ready'],
    ['state', 'ready,,error'],
    ['state', 'ready,done'],
    ['state', 'ready;error'],
    ['state', 'toString'],
    ['state', `${'ready,'.repeat(20)}ready`],
    ['state', 'ready, error'],
    ['state', 'READY'],
    ['since_ms', 'yesterday'],
    ['since_ms', '-1'],
    ['since_ms', '1.5'],
    ['since_ms', '99999999999999999999'],
    ['until_ms', ''],
    ['branch', 'x'.repeat(1_001)],
    ['project', ''],
    ['live', 'true'],
  ])('400 that names %s when it is "%s"', async (name, value) => {
    const { status, body } = await team.owner('GET', `/v1/deployments?${name}=${value}`)
    expect(status).toBe(400)
    expect(body.issues).toEqual([{ path: name, message: expect.any(String) }])
  })

  it('400 that lists the known states', async () => {
    const { body } = await team.owner('GET', '/v1/deployments?state=ready,done')
    expect(body.message).toBe(
      'state: must be one of queued, building, ready, error, canceled, or a comma list of them',
    )
  })

  it('400 that names a repeated parameter', async () => {
    const { status, body } = await team.owner('GET', '/v1/deployments?state=ready&state=error')
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'state' }])
  })
})

describe('the pages of the list', () => {
  /** The ids of every page; `between` runs before each next one. */
  async function walk(of: TestTeam, query: string, between = async () => {}): Promise<string[]> {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await of.owner('GET', `/v1/deployments?${query}${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
      await between()
    } while (cursor)
    return seen
  }

  it('contain each once, with filters too', async () => {
    const listed = async (query: string) => (await walk(team, query)).map((id) => nameOf.get(id)).join('')
    for (const limit of [1, 2, 3, 7]) {
      expect(await listed(`limit=${limit}`)).toBe('gfedcba')
      expect(await listed(`limit=${limit}&state=ready&target=production`)).toBe('ga')
      expect(await listed(`limit=${limit}&project=web&branch=main`)).toBe('ca')
    }
  })

  it('contain what matches, each once, for any combination of filters', async () => {
    const values: Record<string, [string, (row: (typeof rows)[number]) => boolean][]> = {
      project: [['web', (row) => row.name !== 'g']],
      target: [['preview', (row) => row.target === 'preview']],
      state: [
        ['ready', (row) => row.state === 'ready'],
        ['ready,error,building', (row) => ['ready', 'error', 'building'].includes(row.state)],
      ],
      branch: [['main', (row) => 'branch' in row.meta && row.meta.branch === 'main']],
      since_ms: [['2000', (row) => row.createdMs >= 2_000]],
      until_ms: [['6000', (row) => row.createdMs < 6_000]],
    }
    let lists: { query: string; left: readonly (typeof rows)[number][] }[] = [
      { query: 'limit=2', left: rows },
    ]
    for (const [name, choices] of Object.entries(values)) {
      lists = lists.flatMap(({ query, left }) => [
        { query, left },
        ...choices.map(([value, test]) => ({ query: `${query}&${name}=${value}`, left: left.filter(test) })),
      ])
    }
    expect(lists).toHaveLength(96)
    const tried = isShort ? lists.filter((_, index) => index % 5 === 0) : lists
    for (const { query, left } of tried) {
      const listed = (await walk(team, query)).map((id) => nameOf.get(id))
      expect(listed, query).toEqual(left.map(({ name }) => name).reverse())
    }
  })

  it('sort those of one millisecond by id', async () => {
    const mine = await newTeam(node)
    const made: string[] = []
    for (let i = 0; i < 7; i += 1) made.push(await insertDeployment(node, mine, { createdMs: 1_000 }))
    expect(await walk(mine, 'limit=2')).toEqual(made.toSorted().reverse())
  })

  it('neither repeat nor skip any while others are added and deleted', async () => {
    const mine = await newTeam(node)
    const made: string[] = []
    for (let i = 0; i < 12; i += 1) {
      made.push(await insertDeployment(node, mine, { state: 'error', createdMs: 1_000 + Math.floor(i / 3) }))
    }
    const removed = new Set<string>()
    const seen = await walk(mine, 'limit=3', async () => {
      await Promise.all([insertDeployment(node, mine), insertDeployment(node, mine), deploy(mine)])
      const gone = made.toSorted()[removed.size]
      if (!gone) return
      removed.add(gone)
      await mine.owner('DELETE', `/v1/deployments/${gone}`)
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(made.filter((id) => !removed.has(id) && !seen.includes(id))).toEqual([])
  })

  it.each([
    '',
    '&state=error,canceled',
    '&project=web&target=preview&branch=main&state=error,ready,canceled',
  ])('neither repeat nor skip any while others are written all the time%s', async (filters) => {
    const mine = await newTeam(node)
    const row = { state: 'error', target: 'preview', meta: { branch: 'main' } } as const
    const staying = new Set<string>()
    const leaving: string[] = []
    for (let i = 0; i < 40; i += 1) {
      // Several in each millisecond, so that a page ends among them.
      const id = await insertDeployment(node, mine, { ...row, createdMs: 1_000 + Math.floor(i / 4) })
      if (i % 2 === 0) staying.add(id)
      else leaving.push(id)
    }
    let isWalking = true
    const write = async (createdMs: () => number) => {
      for (let i = 0; isWalking; i += 1) {
        const id = await insertDeployment(node, mine, { ...row, createdMs: createdMs() + (i % 10) })
        if (i % 2 === 0) await mine.owner('DELETE', `/v1/deployments/${id}`)
        const gone = i % 3 === 0 ? leaving.pop() : undefined
        if (gone) await mine.owner('DELETE', `/v1/deployments/${gone}`)
      }
    }
    // Newer ones, and some late ones among those on the pages.
    const writing = [write(Date.now), write(() => 1_000)]
    for (let round = 0; round < (isShort ? 1 : 3); round += 1) {
      const seen = await walk(mine, `limit=3${filters}`)
      expect(new Set(seen).size).toBe(seen.length)
      expect([...staying].filter((id) => !seen.includes(id))).toEqual([])
    }
    isWalking = false
    await Promise.all(writing)
  })
})
