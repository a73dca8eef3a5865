import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

/** The time that api.md promises for changes that reach a node without a notification. */
const second = 1_000

function membership(team: TestTeam, userId: string) {
  return and(eq(members.teamId, team.id), eq(members.userId, userId))
}

describe('revoking a key', () => {
  it('refuses the very next request, even if the key is cached', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(node, key.token)
    for (let i = 0; i < 3; i += 1) expect((await api('GET', '/v1/projects')).status).toBe(200)
    expect((await team.owner('DELETE', `/v1/apikeys/${key.id}`)).body).toEqual({ id: key.id, deleted: true })
    const { status, body } = await api('GET', '/v1/projects')
    expect(status).toBe(401)
    expect(body.reason).toBe('unauthorized')
  })

  it('refuses every request that begins after it, also while many are under way', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(node, key.token)
    const underWay = Array.from({ length: 20 }, () => api('GET', '/v1/projects'))
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    const after = await Promise.all(Array.from({ length: 20 }, () => api('GET', '/v1/projects')))
    expect(after.map(({ status }) => status)).toEqual(Array(20).fill(401))
    for (const { status } of await Promise.all(underWay)) expect([200, 401]).toContain(status)
  })

  it('leaves all or nothing of each write under way', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(node, key.token)
    const names = Array.from({ length: 20 }, (_, index) => `site-${index}`)
    const writes = names.map((name) =>
      api('PUT', `/v1/projects/${name}`, { env: [{ key: 'A', value: name }] }),
    )
    await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    const { body } = await team.owner('GET', '/v1/projects?limit=100')
    const made = names.filter((_, index) => statuses[index] === 200)
    for (const status of statuses) expect([200, 401]).toContain(status)
    expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(made.toSorted())
    for (const { env } of body.data) expect(env).toHaveLength(1)
  })

  it('lets a key revoke itself', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(node, key.token)
    expect((await api('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
    expect((await api('GET', '/v1/projects')).status).toBe(401)
  })

  it.concurrent('takes effect within a second when the row is deleted without a notification', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const api = apiOf(node, key.token)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    await db.delete(apiKeys).where(eq(apiKeys.id, key.id))
    await sleep(second)
    expect((await api('GET', '/v1/projects')).status).toBe(401)
  })
})

describe('a key follows its user’s current role', () => {
  it.concurrent('becomes a member key within a second of its user’s demotion', async () => {
    const team = await newTeam(node)
    const { userId, api } = await addMember(node, team, 'owner')
    await team.owner('PUT', '/v1/projects/web')
    expect((await api('PUT', '/v1/projects/web', { auto_promote: false })).status).toBe(200)

    await db.update(members).set({ role: 'member' }).where(membership(team, userId))
    await sleep(second)
    const refused = await api('DELETE', '/v1/projects/web')
    expect(refused.status).toBe(403)
    expect(refused.body.reason).toBe('role_required')
    expect((await api('PUT', '/v1/projects/web', { auto_promote: true })).status).toBe(403)
    expect((await api('GET', '/v1/projects/web')).body.auto_promote).toBe(false)
  })

  it.concurrent('stays a member key when its user becomes an owner', async () => {
    const team = await newTeam(node)
    const { userId, api } = await addMember(node, team)
    await db.update(members).set({ role: 'owner' }).where(membership(team, userId))
    await sleep(second)
    expect((await api('POST', '/v1/apikeys', { name: 'x', role: 'owner' })).status).toBe(403)
  })

  it.concurrent('ends within a second of its user’s removal from the team', async () => {
    const team = await newTeam(node)
    const { userId, api } = await addMember(node, team)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    await db.delete(members).where(membership(team, userId))
    await sleep(second)
    const { status, body } = await api('GET', '/v1/projects')
    expect(status).toBe(401)
    expect(body.reason).toBe('unauthorized')
  })
})
