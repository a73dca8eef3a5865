import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { hashToken } from '../../../src/platform/callers/token.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { addLimited } from '../../support/limits.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

const recordFields = ['created_ms', 'id', 'last_used_ms', 'name', 'prefix', 'role', 'team']

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

  it.each(['POST /v1/apikeys', 'POST /trpc/tokens.createKey'])(
    'a repeat of %s gets a response that an earlier version stored without whose the key is',
    async (operation) => {
      const team = await newTeam(node)
      const [method = '', path = ''] = operation.split(' ')
      const create = () =>
        team.owner(method, path, { name: 'ci' }, { 'idempotency-key': 'of-the-day-before' })
      const { body: first } = await create()
      await db.execute(sql`
        update idempotency_keys
        set answer = (answer::jsonb || '{"created_by": "usr_1", "created_by_name": "owner"}')::json
        where team_id = ${team.id}`)
      const { status, body } = await create()
      const { token, ...stored } = first.result?.data ?? first
      expect(Object.keys(stored).toSorted()).toEqual(recordFields)
      expect({ status, body: body.result?.data ?? body }).toEqual({ status: 200, body: stored })
    },
  )

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
    for (const name of ['x', 'x', 'ü'.repeat(200), '<script>', "'; drop table api_keys", '🔑 "key"']) {
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
    ['a name that nobody sees', { name: ' \u200b' }, 'name'],
    ['a name that reorders others', { name: 'a\u202eb' }, 'name'],
    ['a name in two lines', { name: 'a\nb' }, 'name'],
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

describe('tokens.keyDetails', () => {
  const detailsFor = async (api: Api, input: object = {}) => {
    const path = `/trpc/tokens.keyDetails?input=${encodeURIComponent(JSON.stringify(input))}`
    return (await api('GET', path)).body.result.data
  }
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

  it('says who made the keys of the list, in its order, to those who see them there', async () => {
    const team = await newTeam(node)
    const member = await addMember(node, team)
    const web = await team.owner('PUT', '/v1/projects/web')
    const limited = await addLimited(node, team, [web.body.id])
    const callers = [team.owner, member.api, apiOf(node, limited.key)]
    for (const api of callers) await api('POST', '/v1/apikeys', { name: 'ci' })
    const seen = await Promise.all(
      callers.map(async (api) => {
        const [{ body: list }, details] = await Promise.all([api('GET', '/v1/apikeys'), detailsFor(api)])
        expect(idsOf(details.data)).toEqual(idsOf(list.data))
        for (const row of details.data) {
          expect(Object.keys(row).toSorted()).toEqual([
            'created_by',
            'created_by_name',
            'created_ms',
            'expired',
            'expires_ms',
            'id',
            'last_used_ms',
            'name',
            'prefix',
            'projects',
            'read_only',
            'role',
            'team',
          ])
        }
        return details.data
      }),
    )
    const makers = seen.map((rows) => [...new Set(rows.map((row: { created_by: string }) => row.created_by))])
    expect(makers).toEqual([[limited.userId, member.userId, team.ownerId], [member.userId], [limited.userId]])
    expect(seen[1]).toMatchObject([{ created_by_name: 'member' }, { created_by_name: 'member' }])
  })

  it('has the pages of the list: each cursor is good for both', async () => {
    const team = await newTeam(node)
    for (const name of ['a', 'b']) await team.owner('POST', '/v1/apikeys', { name })
    const { body: list } = await team.owner('GET', '/v1/apikeys?limit=2')
    const first = await detailsFor(team.owner, { limit: 2 })
    expect(first.next_cursor).toBe(list.next_cursor)
    const { body: rest } = await team.owner('GET', `/v1/apikeys?limit=2&cursor=${list.next_cursor}`)
    const last = await detailsFor(team.owner, { limit: 2, cursor: list.next_cursor })
    expect({ ids: idsOf(last.data), next: last.next_cursor }).toEqual({ ids: idsOf(rest.data), next: null })
  })

  it('shows nothing of other teams', async () => {
    const [team, other] = await Promise.all([newTeam(node), newTeam(node)])
    const { data } = await detailsFor(team.owner)
    const own = await detailsFor(other.owner)
    expect(idsOf(data).filter((id) => idsOf(own.data).includes(id))).toEqual([])
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
