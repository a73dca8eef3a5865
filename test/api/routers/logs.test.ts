/** Reading a team's log. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import { settledMs, writeLines } from '../../platform/observability/logs/lines.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

type Query = Record<string, string | number>

function pathOf(query: Query): string {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return `/v1/logs?${new URLSearchParams(fields)}`
}

async function read(query: Query = {}, { owner } = team) {
  const { status, body } = await owner('GET', pathOf(query))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const messages = async (query: Query = {}, of = team): Promise<string[]> =>
  (await read(query, of)).data.map(({ message }: { message: string }) => message)

/** The messages of all pages. */
async function everyMessage(query: Query): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page = await read({ ...query, ...(cursor === null ? {} : { cursor }) })
    found.push(...page.data.map(({ message }: { message: string }) => message))
    cursor = query.order === 'asc' && page.data.length === 0 ? null : page.next_cursor
  } while (cursor !== null)
  return found
}

describe('a line', () => {
  it('of a build has all its fields', async () => {
    const { id: deploymentId } = await deploy(team)
    const { body: project } = await team.owner('GET', '/v1/projects/web')
    const timeMs = settledMs()
    const line = { projectId: project.id, deploymentId, level: 'warn', fields: { step: 'install' } } as const
    await writeLines(node, team, [{ message: 'slow', timeMs, ...line }])
    expect((await read({ kind: 'build' })).data).toEqual([
      {
        id: expect.stringMatching(/^log_[0-9a-f]{32}$/),
        time_ms: timeMs,
        kind: 'build',
        level: 'warn',
        message: 'slow',
        project: 'web',
        deployment: deploymentId,
        fields: { step: 'install' },
      },
    ])
  })

  it('of the audit trail has who did what, from where, with which request', async () => {
    const { status, headers } = await team.owner('PUT', '/v1/projects/web', { spa: true })
    expect(status).toBe(200)
    const { data } = await read({ kind: 'audit' })
    expect(data).toMatchObject([
      {
        id: expect.stringMatching(/^evt_/),
        kind: 'audit',
        level: 'info',
        message: 'created project web: spa (false → true)',
        project: 'web',
        deployment: null,
        fields: {
          type: 'project.created',
          actor: team.ownerId,
          actor_name: 'owner',
          key: expect.stringMatching(/^key_/),
          key_name: 'owner',
          address: '127.0.0.1',
          request_id: headers.get('x-request-id'),
          data: { project: { name: 'web' } },
        },
      },
    ])
  })

  it('has the current name of its project, and no project once that is deleted', async () => {
    const { body: project } = await team.owner('PUT', '/v1/projects/web')
    await writeLines(node, team, [{ message: 'built', projectId: project.id }])
    const projectName = async () => (await read({ project: project.id, kind: 'build' })).data[0].project
    await team.owner('PUT', '/v1/projects/web', { name: 'site' })
    expect(await projectName()).toBe('site')
    await team.owner('DELETE', '/v1/projects/site')
    expect(await projectName()).toBe(null)
    expect(await messages({ project: project.id, kind: 'audit' })).toContain('deleted project site')
  })
})

describe('the address in an audit line', () => {
  const addresses = async (api: Api, query = '') => {
    const { body } = await api('GET', `/v1/logs?kind=audit${query}`)
    return body.data.map(({ fields }: { fields: { address: string | null } }) => fields.address)
  }

  it('is for owners, and for whoever it is of: in a list, a search, while waiting and by RPC', async () => {
    await team.owner('PUT', '/v1/projects/web')
    const member = await addMember(node, team)
    await member.api('PUT', '/v1/projects/docs')
    // Lines younger than a second are withheld from those who wait.
    node.clock.aheadMs += 2_000
    onTestFinished(() => {
      node.clock.aheadMs -= 2_000
    })
    const input = encodeURIComponent(JSON.stringify({ kind: 'audit' }))
    for (const query of ['', '&q=created', '&order=asc&wait_s=1']) {
      expect(await addresses(team.owner, query)).toEqual(['127.0.0.1', '127.0.0.1'])
      const seen = await addresses(member.api, query)
      expect(query.includes('asc') ? seen.toReversed() : seen).toEqual(['127.0.0.1', null])
    }
    const { body } = await member.api('GET', `/trpc/observability.logs?input=${input}`)
    expect(body.result.data.data.map((line: { fields: unknown }) => line.fields)).toMatchObject([
      { actor: member.userId, address: '127.0.0.1' },
      { actor: team.ownerId, address: null, actor_name: 'owner', request_id: expect.any(String) },
    ])
  })

  it('of others is hidden from a key of the role member, whoever made it', async () => {
    const other = await addMember(node, team)
    await other.api('PUT', '/v1/projects/web')
    const { body } = await team.owner('POST', '/v1/apikeys', { name: 'ci', role: 'member' })
    expect(await addresses(apiOf(node, body.token))).toEqual(['127.0.0.1', null])
  })
})

describe('an audit line', () => {
  const byOf = async (of = team) => {
    const { data } = await read({ kind: 'audit', limit: 1 }, of)
    const { actor, actor_name, key, key_name } = data[0].fields
    return { actor, actor_name, key, key_name }
  }

  it('has the present names of the person and of the key', async () => {
    const { userId, api } = await addMember(node, team)
    const { body: key } = await api('POST', '/v1/apikeys', { name: 'ci' })
    await apiOf(node, key.token)('PUT', '/v1/projects/web')
    expect(await byOf()).toEqual({ actor: userId, actor_name: 'member', key: key.id, key_name: 'ci' })
    await node.installation.store.db.update(users).set({ name: 'Ada' }).where(eq(users.id, userId))
    expect(await byOf()).toMatchObject({ actor_name: 'Ada' })
  })

  it('has no name of a key that was revoked, and still that of the person', async () => {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    await apiOf(node, key.token)('PUT', '/v1/projects/web')
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    const [, line] = (await read({ kind: 'audit', limit: 2 })).data
    expect(line.fields).toMatchObject({ actor_name: 'owner', key: key.id, key_name: null })
  })

  it('has no key where a session was used', async () => {
    const { api } = await newSession(node, team.ownerId)
    await api('PUT', '/v1/projects/web')
    expect(await byOf()).toEqual({ actor: team.ownerId, actor_name: 'owner', key: null, key_name: null })
  })

  it('of what the platform did, or a person who is gone, has no name', async () => {
    const gone = newId('user', 1)
    for (const actorId of [null, gone]) {
      const createdMs = Date.now()
      const event = { id: newId('event', createdMs), teamId: team.id, type: 'none', data: {}, createdMs }
      await node.installation.store.db.insert(events).values({ ...event, actorId })
      expect(await byOf()).toEqual({ actor: actorId, actor_name: null, key: null, key_name: null })
    }
  })

  it('never has the name of another team’s key', async () => {
    const other = await newTeam(node)
    const { body: key } = await other.owner('POST', '/v1/apikeys', { name: 'theirs' })
    const createdMs = Date.now()
    const event = { id: newId('event', createdMs), teamId: team.id, type: 'none', data: {}, createdMs }
    await node.installation.store.db.insert(events).values({ ...event, keyId: key.id })
    expect(await byOf()).toMatchObject({ key: key.id, key_name: null })
  })
})

it('describes actions in sentences', async () => {
  const first = await deploy(team, { target: 'production' })
  const second = await deploy(team, { target: 'production' })
  await team.owner('POST', `/v1/deployments/${first.id}/promote`)
  const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci', role: 'member' })
  await team.owner('DELETE', `/v1/apikeys/${key.id}`)
  await team.owner('PUT', '/v1/projects/web', { spa: true })
  const actions = await messages({ kind: 'audit', limit: 100 })
  expect(actions).toEqual(
    expect.arrayContaining([
      `created ${first.id} for production of web`,
      `${second.id} of web is ready`,
      `promoted ${second.id} to production of web`,
      `rolled back to ${first.id} in production of web`,
      `made member key ci (${key.prefix})`,
      `revoked key ci (${key.prefix})`,
      'changed project web: spa (false → true)',
    ]),
  )
  expect(actions[0]).toBe('changed project web: spa (false → true)')
})

describe('a log filtered by', () => {
  let web: string
  let docs: string
  const deployment = newId('deployment', 1)
  const timeMs = settledMs()

  beforeEach(async () => {
    web = (await team.owner('PUT', '/v1/projects/web')).body.id
    docs = (await team.owner('PUT', '/v1/projects/docs')).body.id
    await writeLines(node, team, [
      { message: 'web 1', projectId: web, deploymentId: deployment, timeMs },
      { message: 'web 2', projectId: web, level: 'error', timeMs: timeMs + 1 },
      { message: 'docs 1', projectId: docs, level: 'warn', timeMs: timeMs + 2 },
      { message: 'docs 100% Ärger_2', projectId: docs, level: 'error', timeMs: timeMs + 3 },
      {
        message: 'GET / 200',
        projectId: docs,
        kind: 'request',
        fields: { status: 200, host: 'docs-1' },
        timeMs: timeMs + 4,
      },
      {
        message: 'GET /gone 404',
        projectId: docs,
        kind: 'request',
        level: 'warn',
        fields: { status: 404, host: 'docs.example' },
        timeMs: timeMs + 5,
      },
    ])
  })

  it.each<[string, Query, string[]]>([
    ['a kind', { kind: 'build' }, ['docs 100% Ärger_2', 'docs 1', 'web 2', 'web 1']],
    ['requests', { kind: 'request', order: 'asc' }, ['GET / 200', 'GET /gone 404']],
    ['failed requests', { kind: 'request', level: 'warn', project: 'docs' }, ['GET /gone 404']],
    ['a project', { kind: 'build', project: 'web' }, ['web 2', 'web 1']],
    ['an unknown project', { project: 'other' }, []],
    ['a deployment', { deployment }, ['web 1']],
    ['a level', { level: 'error' }, ['docs 100% Ärger_2', 'web 2']],
    ['a level that audit lines have', { level: 'info', project: 'web' }, ['created project web', 'web 1']],
    ['audit lines at their level', { kind: 'audit', level: 'info', project: 'web' }, ['created project web']],
    ['a part of the message, in any case', { q: 'WEB' }, ['created project web', 'web 2', 'web 1']],
    ['a special character of patterns', { q: '%' }, ['docs 100% Ärger_2']],
    ['another one', { q: '_' }, ['docs 100% Ärger_2']],
    ['a time', { since_ms: timeMs + 1, until_ms: timeMs + 3 }, ['docs 1', 'web 2']],
    [
      'all filters at once',
      { kind: 'build', project: 'docs', level: 'warn', q: 'docs', since_ms: 1 },
      ['docs 1'],
    ],
    ['a status', { status: '404' }, ['GET /gone 404']],
    ['a status that no request got', { status: '403' }, []],
    ['a class of statuses', { status: '2xx', kind: 'request' }, ['GET / 200']],
    ['a class with its level', { status: '4xx', level: 'warn', project: 'docs' }, ['GET /gone 404']],
    ['a status and a part of the message', { status: '4xx', q: 'GONE', order: 'asc' }, ['GET /gone 404']],
    ['a status elsewhere', { status: '404', project: 'web' }, []],
    ['a host', { host: 'docs.example' }, ['GET /gone 404']],
    ['a host that is none', { host: 'docs' }, []],
    ['a host and a class', { host: 'docs-1', status: '2xx', order: 'asc' }, ['GET / 200']],
    ['the other direction', { kind: 'build', order: 'asc', level: 'error' }, ['web 2', 'docs 100% Ärger_2']],
  ])('%s', async (_what, query, expected) => {
    expect(await messages(query)).toEqual(expected)
  })

  it('returns nothing of another team, with any filter', async () => {
    const stranger = await newTeam(node)
    for (const query of [
      {},
      { project: web },
      { project: 'web' },
      { deployment },
      { q: 'web' },
      { status: '404' },
    ]) {
      for (const order of ['asc', 'desc']) expect(await messages({ ...query, order }, stranger)).toEqual([])
    }
  })

  it('may be read by members, too', async () => {
    const { api } = await addMember(node, team)
    expect(await messages({ kind: 'build', project: 'web' }, { ...team, owner: api })).toEqual([
      'web 2',
      'web 1',
    ])
  })
})

it.each<[string, Query]>([
  ['kind', { kind: 'all' }],
  ['level', { level: 'fatal' }],
  ['level', { kind: 'audit', level: 'error' }],
  ['status', { status: '4' }],
  ['status', { status: '600' }],
  ['status', { status: '404', kind: 'build' }],
  ['level', { status: '404', level: 'error' }],
  ['host', { host: '' }],
  ['host', { host: 'docs', kind: 'audit' }],
  ['q', { q: '' }],
  ['q', { q: 'x'.repeat(201) }],
  ['until_ms', { since_ms: 5, until_ms: 5 }],
  ['since_ms', { since_ms: -1 }],
  ['order', { order: 'newest' }],
  ['wait_s', { wait_s: 1 }],
  ['wait_s', { wait_s: 31, order: 'asc' }],
  ['follow', { follow: 'true' }],
])('400 that names %s: %j', async (path, query) => {
  const { status, body } = await team.owner('GET', pathOf(query))
  expect(status).toBe(400)
  expect(body.issues).toMatchObject([{ path }])
})

describe('pages', () => {
  /** Several of one millisecond, between audit lines. */
  async function writeMany(count: number): Promise<string[]> {
    await deploy(team)
    const timeMs = settledMs()
    const levels = ['debug', 'info', 'warn', 'error'] as const
    const lines = Array.from({ length: count }, (_, index) => ({
      message: `line ${index}`,
      level: levels[index % 4] ?? 'info',
      timeMs: timeMs + Math.floor(index / 5),
    }))
    await writeLines(node, team, lines)
    return lines.map(({ message }) => message)
  }

  it('contain every line once, in either direction, whatever is written meanwhile', async () => {
    const lines = await writeMany(43)
    const settled = settledMs() + 30_000
    for (const order of ['asc', 'desc']) {
      const found: string[] = []
      let cursor: string | undefined
      for (;;) {
        const page = await read({ order, limit: 4, ...(cursor ? { cursor } : {}), until_ms: settled })
        found.push(...page.data.map(({ message }: { message: string }) => message))
        if (page.next_cursor === null) break
        cursor = page.next_cursor
        // Newer than the lines that are read, and older than the start.
        await writeLines(node, team, [
          { message: 'newer', timeMs: settled + 1 },
          { message: 'older', timeMs: 1 + found.length },
        ])
      }
      const once = found.filter((message) => message.startsWith('line'))
      expect(order === 'asc' ? once : once.reverse()).toEqual(lines)
    }
  })

  it('sort lines and events of one millisecond consistently', async () => {
    const { store } = node.installation
    await writeMany(6)
    const timeMs = settledMs() - 5_000
    const event = { teamId: team.id, type: 'none', data: {}, createdMs: timeMs }
    await store.db.insert(events).values([1, 2, 3].map(() => ({ ...event, id: newId('event', timeMs) })))
    await writeLines(
      node,
      team,
      [1, 2, 3].map((each) => ({ message: `same ${each}`, timeMs })),
    )
    const wanted = ['none', 'none', 'none', 'same 1', 'same 2', 'same 3']
    const filter = { since_ms: timeMs, until_ms: timeMs + 1 }
    for (const limit of [1, 2, 5, 6, 7]) {
      expect(await everyMessage({ ...filter, order: 'asc', limit })).toEqual(wanted)
      expect((await everyMessage({ ...filter, order: 'desc', limit })).reverse()).toEqual(wanted)
    }
  })

  it('continue behind lines that were searched for q without a match', async () => {
    const event = { teamId: team.id, type: 'project.created', createdMs: 500 }
    const data = { project: { id: 'prj_1', name: 'needle' } }
    await node.installation.store.db.insert(events).values({ id: newId('event', 500), ...event, data })
    await writeLines(node, team, [{ message: 'the needle', timeMs: 1_000 }])
    const hay = Array.from({ length: 5_500 }, (_, index) => ({ message: 'hay', timeMs: 2_000 + index }))
    await writeLines(node, team, hay)
    const first = await read({ q: 'needle' })
    expect(first).toMatchObject({ data: [], next_cursor: expect.any(String) })
    const second = await read({ q: 'needle', cursor: first.next_cursor })
    // The event is the first match, but is not returned before the lines in between were searched.
    const found = [{ message: 'the needle' }, { message: 'created project needle' }]
    expect(second).toMatchObject({ data: found, next_cursor: null })
    expect(await messages({ q: 'NEEDLE', order: 'asc' })).toEqual(['created project needle', 'the needle'])
  })

  it('contain near and far matches, each line once', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => {
      const message = [50, 199, 200, 201, 900].includes(index) ? `needle ${index}` : 'hay'
      return { message, timeMs: 10_000 - index }
    })
    await writeLines(node, team, lines)
    const expected = ['needle 50', 'needle 199', 'needle 200', 'needle 201', 'needle 900']
    expect(await messages({ q: 'needle' })).toEqual(expected)
    expect(await messages({ q: 'needle', order: 'asc' })).toEqual([...expected].reverse())
    for (const limit of [1, 2, 3]) {
      expect(await everyMessage({ q: 'needle', limit })).toEqual(expected)
    }
  })

  it('400 invalid_cursor for a number that is not a line’s', async () => {
    const cursor = Buffer.from(JSON.stringify([1, `log_${'f'.repeat(32)}`])).toString('base64url')
    const { status, body } = await team.owner('GET', `/v1/logs?cursor=${cursor}`)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_cursor' })
  })

  it('in forward direction end with a cursor to continue with, until until_ms has passed', async () => {
    expect((await read({ order: 'asc' })).next_cursor).toEqual(expect.any(String))
    expect((await read({ order: 'asc', until_ms: Date.now() - 2_000 })).next_cursor).toBe(null)
    expect((await read({ order: 'asc', until_ms: Date.now() + 60_000 })).next_cursor).not.toBe(null)
    const { next_cursor: cursor } = await read({ order: 'asc' })
    await writeLines(node, team, [{ message: 'next' }])
    expect(await messages({ order: 'asc', cursor })).toEqual(['next'])
  })
})
