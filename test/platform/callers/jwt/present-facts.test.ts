/** A JWT's rights follow later changes, however long it is still valid. */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from '../../../../src/stores/db/schema/keys.ts'
import { sessions } from '../../../../src/stores/db/schema/sessions.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import type { Store } from '../../../../src/stores/db/store.ts'
import { apiOf } from '../../../support/api.ts'
import { claimsOf, enforcingNode, mint } from '../../../support/enforcing-node.ts'
import { eventually } from '../../../support/eventually.ts'
import { limitMember } from '../../../support/limits.ts'
import type { TestNode } from '../../../support/node.ts'
import { joinNewTeam, newSession } from '../../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../support/team.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await enforcingNode()
  store = node.installation.store
})

/** The time that api.md promises for changes that reach a node without a notification. */
const second = 1_000

afterEach(() => {
  node.clock.aheadMs = 0
})

const membership = (team: TestTeam, userId: string) =>
  and(eq(members.teamId, team.id), eq(members.userId, userId))

/** Changes a membership and sends the notification, as operations on teams do. */
async function change(team: TestTeam, userId: string, role: 'owner' | 'member' | 'none') {
  await store.transact(async (tx) => {
    if (role === 'none') {
      await tx.delete(apiKeys).where(and(eq(apiKeys.teamId, team.id), eq(apiKeys.userId, userId)))
      await tx.delete(members).where(membership(team, userId))
    } else await tx.update(members).set({ role }).where(membership(team, userId))
    tx.announce({ kind: 'member', id: userId })
  })
}

const statusOf = async (api: ReturnType<typeof apiOf>) => (await api('GET', '/v1/projects')).status

describe('the key that a JWT was minted with', () => {
  it('ends it at once when the key is revoked, also by a JWT', async () => {
    const team = await newTeam(node)
    const owner = await mint(node, team.ownerKey)
    const { body: key } = await owner.api('POST', '/v1/apikeys', { name: 'ci' })
    const jwt = await mint(node, key.token)
    const other = await mint(node, team.ownerKey)
    expect(await statusOf(jwt.api)).toBe(200)
    expect((await owner.api('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
    expect(await jwt.api('GET', '/v1/projects')).toMatchObject({
      status: 401,
      body: { reason: 'unauthorized' },
    })
    expect(await statusOf(other.api)).toBe(200)
  })

  it('ends it within a second when the key’s row is deleted without a notification', async () => {
    const team = await newTeam(node)
    const { api } = await mint(node, team.ownerKey)
    expect(await statusOf(api)).toBe(200)
    await store.db.delete(apiKeys).where(eq(apiKeys.teamId, team.id))
    await sleep(second)
    expect(await statusOf(api)).toBe(401)
  })

  it('is recorded as used when the JWT is used', async () => {
    const team = await newTeam(node)
    const { token, api } = await mint(node, team.ownerKey)
    await store.db.update(apiKeys).set({ lastUsedMs: 0 }).where(eq(apiKeys.teamId, team.id))
    // A recorded use of the key itself may still be written.
    await sleep(second + 200)
    await store.db.update(apiKeys).set({ lastUsedMs: 0 }).where(eq(apiKeys.teamId, team.id))
    const beforeMs = Date.now()
    expect(await statusOf(api)).toBe(200)
    const id = String(claimsOf(token).key)
    const lastUsed = () => store.db.select().from(apiKeys).where(eq(apiKeys.id, id))
    await eventually(async () => expect((await lastUsed())[0]?.lastUsedMs).toBeGreaterThanOrEqual(beforeMs))
  })
})

describe('the membership of its user', () => {
  it('lowers its role at once', async () => {
    const team = await newTeam(node)
    const { userId, key } = await addMember(node, team, 'owner')
    const { api } = await mint(node, key)
    expect((await api('PUT', '/v1/projects/web', { protection: 'all' })).status).toBe(200)
    await change(team, userId, 'member')
    expect(await api('DELETE', '/v1/projects/web')).toMatchObject({
      status: 403,
      body: { reason: 'role_required' },
    })
    expect((await api('GET', '/v1/projects/web')).status).toBe(200)
  })

  it('never raises it above the role that it was minted with', async () => {
    const team = await newTeam(node)
    const { userId, key } = await addMember(node, team)
    const { token, api } = await mint(node, key)
    await store.db.update(apiKeys).set({ role: 'owner' }).where(eq(apiKeys.userId, userId))
    await change(team, userId, 'owner')
    expect(claimsOf(token).role).toBe('member')
    expect((await api('POST', '/v1/apikeys', { name: 'x', role: 'owner' })).status).toBe(403)
    const again = await mint(node, key)
    expect((await again.api('POST', '/v1/apikeys', { name: 'x', role: 'owner' })).status).toBe(200)
  })

  it("never gives it more than its key's current role", async () => {
    const team = await newTeam(node)
    const { token, api } = await mint(node, team.ownerKey)
    await store.db.update(apiKeys).set({ role: 'member' }).where(eq(apiKeys.teamId, team.id))
    expect(claimsOf(token).role).toBe('owner')
    expect((await api('POST', '/v1/apikeys', { name: 'x', role: 'owner' })).status).toBe(403)
  })

  it('limits it to some projects at once', async () => {
    const team = await newTeam(node)
    const owner = await mint(node, team.ownerKey)
    for (const name of ['one', 'two']) await owner.api('PUT', `/v1/projects/${name}`)
    const { userId, key } = await addMember(node, team)
    const { api } = await mint(node, key)
    expect((await api('GET', '/v1/projects/two')).status).toBe(200)
    const { body: one } = await api('GET', '/v1/projects/one')
    await limitMember(node, team, userId, [one.id])
    expect((await api('GET', '/v1/projects/two')).status).toBe(404)
    expect((await api('GET', '/v1/projects')).body.data).toMatchObject([{ id: one.id }])
    expect((await api('PUT', '/v1/projects/two', { spa: true })).status).toBe(404)
    expect((await owner.api('GET', '/v1/projects/two')).status).toBe(200)
  })

  it('ends it at once', async () => {
    const team = await newTeam(node)
    const { userId, key } = await addMember(node, team)
    const { api } = await mint(node, key)
    expect(await statusOf(api)).toBe(200)
    await change(team, userId, 'none')
    expect(await statusOf(api)).toBe(401)
    expect(await statusOf(apiOf(node, key))).toBe(401)
  })
})

describe('the session that a JWT was minted with', () => {
  it('ends it at once when its user signs out', async () => {
    const team = await newTeam(node)
    const [session, other] = [await newSession(node, team.ownerId), await newSession(node, team.ownerId)]
    const [jwt, ofOther] = [await mint(node, session.token), await mint(node, other.token)]
    expect(await statusOf(jwt.api)).toBe(200)
    await session.end()
    expect(await statusOf(jwt.api)).toBe(401)
    expect(await statusOf(session.api)).toBe(401)
    expect(await statusOf(ofOther.api)).toBe(200)
  })

  it('ends it within a second when the session’s row is deleted without a notification', async () => {
    const team = await newTeam(node)
    const session = await newSession(node, team.ownerId)
    const { api } = await mint(node, session.token)
    expect(await statusOf(api)).toBe(200)
    await store.db.delete(sessions).where(eq(sessions.id, session.id))
    await sleep(second)
    expect(await statusOf(api)).toBe(401)
    expect(await statusOf(session.api)).toBe(401)
  })

  it('ends it when the session expires', async () => {
    const team = await newTeam(node)
    const session = await newSession(node, team.ownerId, 60_000)
    const { api } = await mint(node, session.token)
    expect(await statusOf(api)).toBe(200)
    node.clock.aheadMs = 60_000
    expect(await statusOf(api)).toBe(401)
    expect(await statusOf(session.api)).toBe(401)
  })

  it('does not affect a JWT that a key of the same user minted', async () => {
    const team = await newTeam(node)
    const session = await newSession(node, team.ownerId)
    const { api } = await mint(node, team.ownerKey)
    await session.end()
    expect(await statusOf(api)).toBe(200)
  })

  it('is in one team with it, and leaving that team ends this JWT only', async () => {
    const team = await newTeam(node)
    const { userId } = await addMember(node, team)
    const home = await joinNewTeam(node, userId, { personal: true })
    const session = await newSession(node, userId)
    const [here, there] = [
      await mint(node, session.token, { team: team.slug }),
      await mint(node, session.token, { team: home.id }),
    ]
    await change(team, userId, 'none')
    expect(await statusOf(here.api)).toBe(401)
    expect(await statusOf(there.api)).toBe(200)
  })
})

describe("the node's clock", () => {
  it('ends a JWT after 8 hours, also one that was just used', async () => {
    const team = await newTeam(node)
    const { api } = await mint(node, team.ownerKey)
    expect(await statusOf(api)).toBe(200)
    node.clock.aheadMs = 8 * 3_600_000
    expect(await statusOf(api)).toBe(401)
  })

  it('refuses a JWT from an hour ahead, so that setting clocks back is safe', async () => {
    const team = await newTeam(node)
    const { api } = await mint(node, team.ownerKey)
    node.clock.aheadMs = -3_600_000
    expect(await statusOf(api)).toBe(401)
    node.clock.aheadMs = -50_000
    expect(await statusOf(api)).toBe(200)
  })
})
