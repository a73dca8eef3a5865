import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

async function newKey(api: Api, fields: Record<string, unknown> = {}) {
  const { status, body } = await api('POST', '/v1/apikeys', { name: 'key', ...fields })
  expect(status).toBe(200)
  return body
}

async function listed(api: Api): Promise<string[]> {
  const { body } = await api('GET', '/v1/apikeys?limit=100')
  return body.data.map(({ id }: { id: string }) => id)
}

const row = (id: string) => db.select().from(apiKeys).where(eq(apiKeys.id, id))

describe('a member', () => {
  it('creates, lists and revokes its own member keys', async () => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const key = await newKey(api)
    expect(await listed(api)).toContain(key.id)
    expect((await api('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
    expect(await listed(api)).not.toContain(key.id)
  })

  it('gets 403 role_required for an owner key, and none is created', async () => {
    const team = await newTeam(node)
    const { api } = await addMember(node, team)
    const before = await listed(team.owner)
    const { status, body } = await api('POST', '/v1/apikeys', { name: 'key', role: 'owner' })
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'role_required' })
    expect(await listed(team.owner)).toEqual(before)
  })

  it("doesn't see the keys of others, and revoking one is 404 like an unknown key", async () => {
    const team = await newTeam(node)
    const [one, other] = [await addMember(node, team), await addMember(node, team)]
    const ofOther = await newKey(other.api)
    const ofOwner = await newKey(team.owner)
    expect(await listed(one.api)).toHaveLength(1)
    const unknown = await one.api('DELETE', `/v1/apikeys/${newId('key', 1)}`)
    for (const key of [ofOther, ofOwner]) {
      const refused = await one.api('DELETE', `/v1/apikeys/${key.id}`)
      expect(refused.status).toBe(404)
      expect({ ...refused.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
      expect(await row(key.id)).toHaveLength(1)
    }
  })

  it("doesn't see an owner key of its own user, created while that was an owner", async () => {
    const team = await newTeam(node)
    const owner = await addMember(node, team, 'owner')
    const memberKey = await newKey(owner.api)
    const ownerKey = await newKey(owner.api, { role: 'owner' })
    const asMember = apiOf(node, memberKey.token)
    expect(await listed(asMember)).toEqual([memberKey.id])
    expect((await asMember('DELETE', `/v1/apikeys/${ownerKey.id}`)).status).toBe(404)
    expect(await row(ownerKey.id)).toHaveLength(1)
  })
})

describe('an owner', () => {
  it('lists and revokes every key of the team', async () => {
    const team = await newTeam(node)
    const member = await addMember(node, team)
    const key = await newKey(member.api)
    expect(await listed(team.owner)).toHaveLength(3)
    expect((await team.owner('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
    expect(await listed(member.api)).toHaveLength(1)
  })

  it('acts in the team of its key, whatever team a header names', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const { body } = await team.owner('GET', '/v1/apikeys', undefined, { 'x-svc-team': other.slug })
    expect(body.data.map((key: { team: string }) => key.team)).toEqual([team.slug])
  })
})
