/** Keys whose time is over: what callers get, on every node, and what the trail says. */
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordKeyEnds } from '../../../../src/platform/callers/key-limits/record-ends.ts'
import { newToken } from '../../../../src/platform/callers/token.ts'
import { events } from '../../../../src/stores/db/schema/events.ts'
import { keyEnds } from '../../../../src/stores/db/schema/key-ends.ts'
import { sendRequest } from '../../../roles/edge/client.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { apiOf } from '../../../support/api.ts'
import { claimsOf, enforcingNode, mint } from '../../../support/enforcing-node.ts'
import { openEvents } from '../../../support/event-stream.ts'
import { newLimitedKey } from '../../../support/limits.ts'
import { sharedNode, startTestNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deploy } from '../../deployments/steps.ts'

let node: TestNode
let enforcing: TestNode

beforeAll(async () => {
  node = await sharedNode()
  enforcing = await enforcingNode()
})

afterEach(() => {
  node.clock.aheadMs = 0
  enforcing.clock.aheadMs = 0
})

const hourMs = 3_600_000

const endingKey = (team: Pick<TestTeam, 'owner'>, forMs = hourMs) =>
  newLimitedKey(team, { role: 'owner', expires_ms: Date.now() + forMs })

describe('a key whose time is over', () => {
  it('has the very answer of a key that never was, from one moment to the next', async () => {
    const team = await newTeam(node)
    const { key } = await endingKey(team)
    const api = apiOf(node, key)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    node.clock.aheadMs = hourMs + 1
    const answerTo = async (token: string) => {
      const { status, body, headers } = await apiOf(node, token)('GET', '/v1/projects')
      const { request_id: _id, ...rest } = body
      return { status, rest, challenge: headers.get('www-authenticate') }
    }
    const unknown = await answerTo(newToken())
    expect(unknown).toMatchObject({ status: 401, rest: { reason: 'unauthorized' }, challenge: 'Bearer' })
    expect(await answerTo(key)).toEqual(unknown)
    for (const [method, path] of [
      ['POST', '/v1/token'],
      ['PUT', '/v1/projects/web'],
      ['GET', '/trpc/projects.list?input=%7B%7D'],
    ] as const)
      expect((await api(method, path, method === 'GET' ? undefined : {})).status).toBe(401)
  })

  it('opens no protected site any more, and its stream ends', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', { protection: 'all' })
    const { url } = await deploy(team)
    const { key } = await endingKey(team, 2_000)
    const headers = { authorization: `Bearer ${key}` }
    const visit = async () =>
      (await sendRequest(Number(new URL(node.sitesUrl).port), new URL(url).host, '/', headers)).status
    expect(await visit()).toBe(200)
    const stream = await openEvents(node, headers)
    await expect.poll(stream.types).toContain('connected')
    await expect.poll(stream.hasEnded, { timeout: 5_000 }).toBe(true)
    expect(await visit()).toBe(401)
  })

  it('stays in the lists, where it is revoked', async () => {
    const team = await newTeam(node)
    const { id } = await endingKey(team)
    node.clock.aheadMs = hourMs
    const { body } = await team.owner('GET', '/trpc/tokens.keyDetails?input=%7B%7D')
    expect(body.result.data.data).toMatchObject([{ id, expired: true }, { expired: false }])
    expect((await team.owner('GET', '/v1/apikeys')).body.data).toHaveLength(2)
    expect((await team.owner('DELETE', `/v1/apikeys/${id}`)).status).toBe(200)
  })

  it('says in the overview when it ends', async () => {
    const team = await newTeam(node)
    const endsMs = Date.now() + hourMs
    const { key } = await newLimitedKey(team, { expires_ms: endsMs })
    const { body } = await apiOf(node, key)('GET', '/v1/overview')
    expect(body.credential).toMatchObject({ kind: 'key', expires_ms: endsMs })
  })
})

describe('a JWT minted with a key that ends', () => {
  it('ends no later, and with the revocation of the key', async () => {
    const team = await newTeam(enforcing)
    const { api: owner } = await mint(enforcing, team.ownerKey)
    const endsMs = Date.now() + hourMs
    const { key, id } = await newLimitedKey({ owner }, { expires_ms: endsMs })
    const jwt = await mint(enforcing, key)
    expect(jwt.expiresMs).toBe(Math.floor(endsMs / 1_000) * 1_000)
    expect(Number(claimsOf(jwt.token).exp) * 1_000).toBeLessThanOrEqual(endsMs)
    expect((await jwt.api('GET', '/v1/projects')).status).toBe(200)
    enforcing.clock.aheadMs = hourMs
    expect((await jwt.api('GET', '/v1/projects')).status).toBe(401)
    enforcing.clock.aheadMs = 0
    expect((await jwt.api('GET', '/v1/projects')).status).toBe(200)
    expect((await owner('DELETE', `/v1/apikeys/${id}`)).status).toBe(200)
    expect((await jwt.api('GET', '/v1/projects')).status).toBe(401)
  })

  it('lasts eight hours where the key lasts longer', async () => {
    const team = await newTeam(enforcing)
    const { api: owner } = await mint(enforcing, team.ownerKey)
    const { key } = await newLimitedKey({ owner }, { expires_ms: Date.now() + 9 * hourMs })
    const { token } = await mint(enforcing, key)
    const { iat, exp } = claimsOf(token)
    expect(Number(exp) - Number(iat)).toBe(8 * 3_600)
  })
})

describe('the trail', () => {
  it('has one line of a key that has ended, however many nodes come to it', async () => {
    const team = await newTeam(node)
    const { store } = node.installation
    const [ending, later] = [await endingKey(team), await endingKey(team, 3 * hourMs)]
    const nowMs = Date.now() + 2 * hourMs
    const lines = () =>
      store.db
        .select({ data: events.data, actor: events.actorId })
        .from(events)
        .where(and(eq(events.teamId, team.id), eq(events.type, 'key.expired')))
    await recordKeyEnds({ store, nowMs: Date.now() })
    expect(await lines()).toEqual([])
    await Promise.all(Array.from({ length: 4 }, () => recordKeyEnds({ store, nowMs })))
    expect(await recordKeyEnds({ store, nowMs })).toBe(0)
    expect(await lines()).toMatchObject([{ data: { key: { id: ending.id } }, actor: null }])
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&q=is over')
    expect(body.data).toMatchObject([
      { message: expect.stringMatching(/^the time of key limited .* is over$/) },
    ])
    const left = await store.db.select().from(keyEnds).where(eq(keyEnds.keyId, later.id))
    expect(left).toMatchObject([{ step: 'end' }])
  })

  it('has none of a key that was revoked before', async () => {
    const team = await newTeam(node)
    const { store } = node.installation
    const { id } = await endingKey(team)
    expect((await team.owner('DELETE', `/v1/apikeys/${id}`)).status).toBe(200)
    await recordKeyEnds({ store, nowMs: Date.now() + 2 * hourMs })
    const { body } = await team.owner('GET', '/v1/logs?kind=audit&q=is over')
    expect(body.data).toEqual([])
  })
})

// The embedded database has only one node.
describe.runIf(process.env.TEST_ON)('on another node', () => {
  it('a key that its cache has ends at the same time, without a notification', async () => {
    const one = await startOwnNode()
    const other = await startTestNode({ SVC_ROLES: 'api', DATABASE_URL: String(one.settings.DATABASE_URL) })
    try {
      const team = await newTeam(one)
      const { key } = await endingKey(team)
      const api = apiOf(other, key)
      expect((await api('GET', '/v1/projects')).status).toBe(200)
      other.clock.aheadMs = hourMs - 60_000
      expect((await api('GET', '/v1/projects')).status).toBe(200)
      other.clock.aheadMs = hourMs
      expect((await api('GET', '/v1/projects')).status).toBe(401)
    } finally {
      await other.stop()
      await one.stop()
    }
  })
})
