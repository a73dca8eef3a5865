import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { hashToken } from '../../../src/platform/auth/token.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { apiOf } from '../../support/api.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

const recordFields = [
  'created_by',
  'created_by_name',
  'created_ms',
  'id',
  'last_used_ms',
  'name',
  'prefix',
  'role',
  'team',
]

describe('POST /v1/apikeys', () => {
  it('returns the new key: its record, and its token in this response only', async () => {
    const team = await newTeam(node)
    const beforeMs = Date.now()
    const { status, body: key } = await team.owner('POST', '/v1/apikeys', {
      name: 'deploy from CI',
      role: 'owner',
    })
    expect(status).toBe(200)
    expect(Object.keys(key).toSorted()).toEqual([...recordFields, 'token'].toSorted())
    expect(key).toMatchObject({ name: 'deploy from CI', role: 'owner', team: team.slug, last_used_ms: 0 })
    expect(key).toMatchObject({ created_by: team.ownerId, created_by_name: 'owner' })
    expect(key.id).toMatch(/^key_[0-9a-f]{32}$/)
    expect(key.token).toMatch(/^svc_[0-9A-Za-z]{38}$/)
    expect(key.prefix).toBe(`${key.token.slice(0, 10)}…`)
    expect(key.created_ms).toBeGreaterThanOrEqual(beforeMs)

    const { body: list } = await team.owner('GET', '/v1/apikeys')
    const { token, ...record } = key
    expect(list.data[0]).toEqual(record)
    expect(Object.keys(list.data[1]).toSorted()).toEqual(recordFields)
    expect(JSON.stringify(list)).not.toContain(token.slice(10))
  })

  it('a repeat gets a response that an earlier version stored, without whose the key is', async () => {
    const team = await newTeam(node)
    const create = () =>
      team.owner('POST', '/v1/apikeys', { name: 'ci' }, { 'idempotency-key': 'of-the-day-before' })
    const { body: first } = await create()
    await db.execute(sql`
      update idempotency_keys set answer = (answer::jsonb - 'created_by' - 'created_by_name')::json
      where team_id = ${team.id}`)
    const { status, body } = await create()
    const { token, created_by, created_by_name, ...stored } = first
    expect({ status, body }).toEqual({ status: 200, body: stored })
  })

  it('creates a member key by default', async () => {
    const team = await newTeam(node)
    const { body } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    expect(body.role).toBe('member')
  })

  it('creates a key that works at once', async () => {
    const team = await newTeam(node)
    const { body } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    expect((await apiOf(node, body.token)('GET', '/v1/projects')).status).toBe(200)
  })

  it('stores the SHA-256 of the token and nothing else of its secret', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const [row] = await db
      .select({ dump: sql<string>`row_to_json(api_keys)::text` })
      .from(apiKeys)
      .where(eq(apiKeys.id, key.id))
    expect(row?.dump).toContain(hashToken(key.token))
    expect(row?.dump).toContain(key.prefix)
    expect(row?.dump).not.toContain(key.token.slice(0, 12))
    for (let at = 4; at + 8 <= key.token.length; at += 1) {
      expect(row?.dump).not.toContain(key.token.slice(at, at + 8))
    }
  })

  it('never logs the token', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    await apiOf(node, key.token)('GET', '/v1/projects')
    expect(node.logged.join('\n')).toContain(key.id)
    expect(node.logged.join('\n')).not.toContain(key.token.slice(10))
  })

  it('accepts any label for a name, also repeated ones', async () => {
    const team = await newTeam(node)
    for (const name of ['x', 'x', 'ü'.repeat(200), ' ', '<script>', "'; drop table api_keys", '🔑 "key"\n']) {
      const { status, body } = await team.owner('POST', '/v1/apikeys', { name })
      expect(status, name).toBe(200)
      expect(body.name).toBe(name)
    }
  })

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name that is not text', { name: 1 }, 'name'],
    ['a name with a NUL', { name: 'a\0b' }, 'name'],
    ['a name with half a surrogate pair', { name: '\ud800' }, 'name'],
    ['another role', { name: 'x', role: 'admin' }, 'role'],
    ['an unknown field', { name: 'x', scopes: ['read'] }, 'scopes'],
    ['a team', { name: 'x', team: 'other' }, 'team'],
    ['a token of its own', { name: 'x', token: 'svc_mine' }, 'token'],
    ['a creation time', { name: 'x', created_ms: 0 }, 'created_ms'],
  ])('400 that names the field: %s', async (_, body, field) => {
    const team = await newTeam(node)
    const refused = await team.owner('POST', '/v1/apikeys', body)
    expect(refused.status).toBe(400)
    expect(refused.body.reason).toBe('invalid_input')
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual([field])
    expect(refused.body.message).toContain(field)
    expect((await team.owner('GET', '/v1/apikeys')).body.data).toHaveLength(1)
  })
})

describe('DELETE /v1/apikeys/{key}', () => {
  it('deletes the key; then it is 404 and in no list', async () => {
    const team = await newTeam(node)
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const first = await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ id: key.id, deleted: true })
    const again = await team.owner('DELETE', `/v1/apikeys/${key.id}`)
    expect(again.status).toBe(404)
    expect(again.body.reason).toBe('key_not_found')
    const { body: list } = await team.owner('GET', '/v1/apikeys')
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(key.id)
    expect(await db.select().from(apiKeys).where(eq(apiKeys.id, key.id))).toEqual([])
  })

  it.each([
    ['an unknown id', newId('key', 1)],
    ['an id of another kind', newId('project', 1)],
    ['an invalid id', 'x'],
    ['an encoded slash', 'a%2fb'],
    ['SQL', "'%20or%20true--"],
  ])('404 key_not_found for %s', async (_, id) => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('DELETE', `/v1/apikeys/${id}`)
    expect(status).toBe(404)
    expect(body.reason).toBe('key_not_found')
    expect((await team.owner('GET', '/v1/projects')).status).toBe(200)
  })
})
