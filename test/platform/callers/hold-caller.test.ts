/** A decision in a transaction holds in it, whatever this node's caches contain. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { members, teams, users } from '../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import type { Api } from '../../support/api.ts'
import { dumpTables } from '../../support/dump.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  // Without a worker, which would send the webhook's deliveries.
  node = await startOwnNode()
  db = node.installation.store.db
})

afterAll(() => node.stop())

type Scene = { team: TestTeam; userId: string; keyId: string; webhook: string; marker: string }

const hook = (marker: string) => ({ url: `https://${marker}.example.com/`, events: ['project.created'] })

/** An owner with a key, in a team with another owner and a webhook. */
async function newScene(): Promise<Scene & { api: Api }> {
  const team = await newTeam(node)
  const { userId, api } = await addMember(node, team, 'owner')
  const email = `${unique('ada')}@example.com`
  await db.update(users).set({ email }).where(eq(users.id, userId))
  const { body } = await api('GET', '/v1/apikeys')
  const { id: keyId } = body.data.find(({ name }: { name: string }) => name === 'member')
  const { body: webhook } = await team.owner('POST', '/v1/webhooks', hook('first'))
  return { team, userId, api, keyId, webhook: webhook.id, marker: unique('held') }
}

const calls: Record<string, (api: Api, scene: Scene) => ReturnType<Api>> = {
  'making an owner key': (api, { marker }) => api('POST', '/v1/apikeys', { name: marker, role: 'owner' }),
  'revoking a key': async (api, { team }) => {
    const { body } = await team.owner('GET', '/v1/apikeys')
    const other = body.data.find(({ name }: { name: string }) => name === 'owner')
    return api('DELETE', `/v1/apikeys/${other.id}`)
  },
  'making a webhook': (api, { marker }) => api('POST', '/v1/webhooks', hook(marker)),
  'deleting a webhook': (api, { webhook }) => api('DELETE', `/v1/webhooks/${webhook}`),
  'enabling a webhook': (api, { webhook }) => api('POST', '/trpc/webhooks.enable', { webhook }),
  'changing the team': (api, { team, marker }) => api('PUT', `/v1/teams/${team.slug}`, { name: marker }),
  'making another team': (api, { marker }) => api('PUT', `/v1/teams/${marker}`),
  'deleting the team': (api, { team }) => api('DELETE', `/v1/teams/${team.slug}`),
}

/** Members may revoke their own keys, and see no others; a user who left a team cannot see it. */
const instead: Record<string, number> = {
  'revoking a key where its user is a member': 404,
  'deleting the team where its user is gone': 404,
}

const ofUser = ({ team, userId }: Scene) => and(eq(members.teamId, team.id), eq(members.userId, userId))

/**
 * Changes without a notification to the node, and the responses that follow: a foreign key and a deleted one
 * look the same.
 */
const changes: Record<string, { status: number; make: (scene: Scene) => PromiseLike<unknown> }> = {
  'its key is gone': {
    status: 401,
    make: ({ keyId }) => db.delete(apiKeys).where(eq(apiKeys.id, keyId)),
  },
  'its user is a member': {
    status: 403,
    make: (scene) => db.update(members).set({ role: 'member' }).where(ofUser(scene)),
  },
  'its user is gone': { status: 401, make: (scene) => db.delete(members).where(ofUser(scene)) },
}

async function rowsOf({ team, userId, marker }: Scene): Promise<string[]> {
  return Object.values(await dumpTables(node, [team.id, userId, marker])).flat()
}

describe.each(Object.entries(changes))('when %s already', (so, { status, make }) => {
  it.each(Object.entries(calls))('%s is refused, and nothing changes', async (what, call) => {
    const scene = await newScene()
    // The node's cache still has the key as it was.
    expect((await scene.api('GET', '/v1/projects')).status).toBe(200)
    await make(scene)
    const before = await rowsOf(scene)
    expect(before).not.toEqual([])
    const answer = await call(scene.api, scene)
    expect(answer.status).toBe(instead[`${what} where ${so}`] ?? status)
    expect(await rowsOf(scene)).toEqual(before)
  })
})

it('an ended session changes neither teams nor keys, though the node has it cached', async () => {
  const scene = await newScene()
  await joinNewTeam(node, scene.userId, { personal: true })
  const session = await newSession(node, scene.userId)
  const api: Api = (method, path, body) => session.api(method, path, body, { 'x-svc-team': scene.team.slug })
  for (const [what, call] of Object.entries(calls)) {
    const token = await newSession(node, scene.userId)
    const as: Api = (method, path, body) => token.api(method, path, body, { 'x-svc-team': scene.team.slug })
    expect((await as('GET', '/v1/projects')).status).toBe(200)
    await db.delete(sessions).where(eq(sessions.id, token.id))
    expect({ what, status: (await call(as, scene)).status }).toEqual({ what, status: 401 })
  }
  expect((await api('GET', '/v1/projects')).status).toBe(200)
  expect(await db.select().from(teams).where(eq(teams.slug, scene.marker))).toEqual([])
})

it('owners who demote each other at once all get a response, and one of them stays owner', async () => {
  for (let round = 0; round < 3; round += 1) {
    const scene = await newScene()
    const { body } = await scene.team.owner('GET', '/v1/apikeys')
    const ownKey = body.data.find(({ name }: { name: string }) => name === 'owner').id
    const { api, team, keyId, marker } = scene
    const [path, self] = [`/v1/teams/${team.slug}`, { email: null, role: 'owner' }]
    const answers = await Promise.all([
      api('DELETE', `/v1/apikeys/${ownKey}`),
      team.owner('DELETE', `/v1/apikeys/${keyId}`),
      api('PUT', path, { name: marker }),
      team.owner('PUT', path, { members: [self] }),
      api('PUT', `/v1/teams/${marker}`),
      team.owner('PUT', `/v1/teams/${marker}-2`),
      api('POST', '/v1/apikeys', { name: marker, role: 'owner' }),
      team.owner('POST', '/v1/webhooks', hook(marker)),
    ])
    for (const { status } of answers) expect([200, 401, 404]).toContain(status)
    const left = await db.select().from(members).where(eq(members.teamId, team.id))
    expect(left.map(({ role }) => role)).toContain('owner')
  }
})
