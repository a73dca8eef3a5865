/** Following a team's events live. */
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { events } from '../../../src/stores/db/schema/events.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { recordEvents } from '../../../src/stores/events/record-events.ts'
import { type EventStream, openEvents } from '../../support/event-stream.ts'
import { sharedNode, startTestNode, type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A stream that is open: what happens from now on follows. */
async function follow(
  headers: Record<string, string> = bearer(team.ownerKey),
  query?: string,
): Promise<EventStream> {
  const stream = await openEvents(node, headers, query)
  await expect.poll(stream.types).toContain('connected')
  return stream
}

/** Before a node looks without a notification. */
const soon = { timeout: 5_000, interval: 20 }

const newProject = async (of = team): Promise<{ id: string }> =>
  (await of.owner('PUT', `/v1/projects/${unique('site')}`)).body

describe('a stream', () => {
  it('begins with connected, and goes on with each event, with ids alone', async () => {
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
    const project = await newProject()
    const files = [{ path: 'index.html', content: 'hello' }]
    const { body: deployment } = await team.owner('POST', '/v1/deployments', { project: project.id, files })
    await expect
      .poll(stream.types, soon)
      .toEqual(['connected', 'project.created', 'deployment.created', 'deployment.ready'])
    expect(stream.received[1]?.message).toEqual({
      type: 'project.created',
      project: project.id,
      deployment: null,
      domain: null,
      created_ms: expect.any(Number),
    })
    expect(stream.received[3]?.message).toMatchObject({ project: project.id, deployment: deployment.id })
  })

  it('has an event within a second of its commit', async () => {
    const stream = await follow()
    const delays: number[] = []
    for (let count = 2; count < 7; count += 1) {
      await newProject()
      const startMs = performance.now()
      await expect.poll(() => stream.received.length, soon).toBe(count)
      delays.push(performance.now() - startMs)
    }
    // Whatever else the machine does meanwhile.
    expect(Math.min(...delays)).toBeLessThan(1_000)
  })

  it('names the domain of an event of a domain or a record', async () => {
    const stream = await follow()
    const name = `${unique('d')}.com`
    await team.owner('PUT', `/v1/domains/${name}`)
    await team.owner('POST', `/v1/domains/${name}/records`, { name: 'www', type: 'TXT', value: 'x' })
    await expect.poll(stream.types, soon).toEqual(['connected', 'domain.created', 'record.created'])
    expect(stream.received.slice(1).map(({ message }) => message)).toEqual([
      expect.objectContaining({ domain: name }),
      expect.objectContaining({ domain: name }),
    ])
  })

  it('never has an event of another team', async () => {
    const other = await newTeam(node)
    const [own, theirs] = [await follow(), await follow(bearer(other.ownerKey))]
    const project = await newProject(other)
    await newProject()
    await expect.poll(own.types, soon).toEqual(['connected', 'project.created'])
    await expect.poll(theirs.types, soon).toEqual(['connected', 'project.created'])
    expect(JSON.stringify(own.received)).not.toContain(project.id)
  })

  it('is of the team that a session selects', async () => {
    const { api, cookie } = await newSession(node, team.ownerId)
    const other = await joinNewTeam(node, team.ownerId)
    const stream = await follow({ cookie, 'x-svc-team': other.slug })
    await newProject()
    await api('PUT', `/v1/projects/${unique('site')}`, undefined, { 'x-svc-team': other.id })
    await expect.poll(stream.types, soon).toEqual(['connected', 'project.created'])
    const foreign = await newTeam(node)
    expect((await openEvents(node, { cookie, 'x-svc-team': foreign.slug })).status).toBe(404)
  })

  it('takes no other input, and no batch', async () => {
    const { status } = await openEvents(node, bearer(team.ownerKey), 'input=%7B%22team%22%3A%22a%22%7D')
    expect(status).toBe(400)
    const batch = `batch=1&input=${encodeURIComponent(JSON.stringify({ 0: {} }))}`
    const batched = await team.owner('GET', `/trpc/events.follow?${batch}`)
    expect([batched.status, batched.body.error.data.reason]).toEqual([400, 'malformed_request'])
    const posted = await team.owner('POST', '/trpc/events.follow', {})
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

/** An event that is written in a transaction which the test ends. */
async function begin(of: TestTeam, projectId: string) {
  const { store } = node.installation
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const done = store.transact(async (tx) => {
    const data = { project: { id: projectId, name: 'early' } }
    await recordEvents(tx, { origin: null, nowMs: Date.now() }, [
      { teamId: of.id, type: 'project.updated', projectId, data: { ...data, changed: [] } },
    ])
    written()
    await held
  })
  await isWritten
  return {
    commit() {
      commit()
      return done
    },
  }
}

it.runIf(process.env.TEST_ON)(
  'an event whose transaction commits after that of a newer one is not skipped',
  async () => {
    const project = await newProject()
    const stream = await follow()
    const early = await begin(team, project.id)
    await team.owner('PUT', `/v1/projects/${unique('late')}`)
    await expect.poll(stream.types, soon).toEqual(['connected', 'project.created'])
    await early.commit()
    await expect.poll(stream.types, soon).toEqual(['connected', 'project.created', 'project.updated'])
  },
)

describe('after a disconnection', () => {
  const since = (id: string) => `input=${encodeURIComponent(JSON.stringify({ lastEventId: id }))}`

  it('resumes with what happened meanwhile, by the input or the header', async () => {
    const stream = await follow()
    await newProject()
    await expect.poll(stream.types, soon).toContain('project.created')
    stream.close()
    const id = stream.received.at(-1)?.id ?? ''
    const meanwhile = await newProject()
    for (const again of [
      await follow(undefined, since(id)),
      await follow({ ...bearer(team.ownerKey), 'last-event-id': id }),
    ]) {
      await expect.poll(() => JSON.stringify(again.received), soon).toContain(meanwhile.id)
      expect(again.received.map((each) => each.id)).not.toContain(id)
      expect(again.types()).not.toContain('missed')
    }
  })

  it('resumes from connected, before any event', async () => {
    const quiet = await newTeam(node)
    const stream = await follow(bearer(quiet.ownerKey))
    const again = await follow(bearer(quiet.ownerKey), since(stream.received[0]?.id ?? ''))
    await newProject(quiet)
    await expect.poll(again.types, soon).toEqual(['connected', 'project.created'])
  })

  it.each([
    ['unknown', () => 'nonsense'],
    ['too old', () => newId('event', Date.now() - 11 * 60_000)],
    ['of the future', () => newId('event', Date.now() + 3_600_000)],
  ])('has missed something if the id is %s', async (_, id) => {
    const stream = await follow(undefined, since(id()))
    await expect.poll(stream.types, soon).toEqual(['connected', 'missed'])
    await newProject()
    await expect.poll(stream.types, soon).toEqual(['connected', 'missed', 'project.created'])
  })

  it('has missed something if more happened than is worth sending', async () => {
    const stream = await follow()
    const id = stream.received[0]?.id ?? ''
    const nowMs = Date.now()
    await node.installation.store.db.insert(events).values(
      Array.from({ length: 201 }, () => ({
        id: newId('event', nowMs),
        teamId: team.id,
        type: 'team.updated',
        data: {},
        createdMs: nowMs,
      })),
    )
    node.installation.store.changes.publish({ kind: 'event', id: team.id })
    await expect.poll(stream.types, soon).toEqual(['connected', 'missed'])
    const again = await follow(undefined, since(id))
    await expect.poll(again.types, soon).toEqual(['connected', 'missed'])
  })
})

describe('a stream ends soon, not with a later check', () => {
  const ends = async (stream: EventStream, reason: string) => {
    const httpStatus = reason === 'unauthorized' ? 401 : 404
    await expect.poll(stream.error, soon).toMatchObject({ data: { reason, httpStatus } })
    await expect.poll(stream.hasEnded, soon).toBe(true)
    expect(stream.types()).toEqual(['connected'])
  }

  it('when its key is revoked, before the event of that', async () => {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'follows', role: 'member' })
    const stream = await follow(bearer(key.token))
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    await ends(stream, 'unauthorized')
  })

  it('when its session ends', async () => {
    const session = await newSession(node, team.ownerId)
    const stream = await follow({ cookie: session.cookie, 'x-svc-team': team.slug })
    await session.end()
    await ends(stream, 'unauthorized')
  })

  it('when its user leaves the team', async () => {
    const { userId } = await addMember(node, team)
    await joinNewTeam(node, userId)
    const { cookie } = await newSession(node, userId)
    const stream = await follow({ cookie, 'x-svc-team': team.slug })
    await node.installation.store.transact(async (tx) => {
      await tx.delete(members).where(and(eq(members.userId, userId), eq(members.teamId, team.id)))
      tx.announce({ kind: 'member', id: userId })
    })
    await ends(stream, 'team_not_found')
  })

  it('when its session expires', { tags: 'long' }, async () => {
    const { cookie } = await newSession(node, team.ownerId, 3_000)
    const stream = await follow({ cookie, 'x-svc-team': team.slug })
    await expect.poll(stream.error, soon).toMatchObject({ data: { reason: 'unauthorized' } })
  })

  it('and goes on when the credential of another ends', async () => {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'other', role: 'member' })
    const stream = await follow()
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    await expect.poll(stream.types, soon).toEqual(['connected', 'key.revoked'])
  })
})

describe('limits', () => {
  it('a team may open 10 streams at once, then as many a second, under a limit of their own', async () => {
    const own = await startTestNode({ SVC_RATE_FREE: '1/10', SVC_RATE_STREAMS: '10/10' })
    const limited = await newTeam(own)
    try {
      const headers = bearer(limited.ownerKey)
      const opened = await Promise.all(Array.from({ length: 50 }, () => openEvents(own, headers)))
      const refused = opened.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(opened.length - refused.length).toBeGreaterThanOrEqual(10)
      expect(refused[0]?.headers.get('retry-after')).toBe('1')
      expect(opened[0]?.headers.get('ratelimit-policy')).toBe('"streams";q=10;w=1')
      expect((await limited.owner('GET', '/v1/projects')).headers.get('ratelimit')).toBe('"free";r=9;t=1')
    } finally {
      await own.stop()
    }
  })
})

describe('a node that stops', () => {
  it('ends its streams at once, in a way that clients resume after', async () => {
    // Longer than a test may take: a stop that waited for the stream would never be over.
    const own = await startTestNode({ SVC_STOP_MS: '600000' })
    const leaving = await newTeam(own)
    const stream = await openEvents(own, bearer(leaving.ownerKey))
    await expect.poll(stream.types).toEqual(['connected'])
    await own.stop()
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.error()).toBeUndefined()
  })
})

it.runIf(process.env.TEST_ON)('a stream has the events of another node on the same database', async () => {
  const other = await startTestNode()
  try {
    const stream = await openEvents(other, bearer(team.ownerKey))
    await expect.poll(stream.types).toEqual(['connected'])
    const project = await newProject()
    await expect.poll(() => JSON.stringify(stream.received), soon).toContain(project.id)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'there', role: 'member' })
    const revoked = await openEvents(other, bearer(key.token))
    await expect.poll(revoked.types).toContain('connected')
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    await expect.poll(revoked.error, soon).toMatchObject({ data: { reason: 'unauthorized' } })
  } finally {
    await other.stop()
  }
})
