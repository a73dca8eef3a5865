import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import {
  checkEncryptionKey,
  createOperatorKey,
  insertTeam,
  setUp,
} from '../../../src/platform/teams/set-up.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { teams, users } from '../../../src/stores/db/schema/teams.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { apiOf } from '../../support/api.ts'
import type { TestNode } from '../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

describe('the first start on an empty database', () => {
  it('creates one user with a personal team, and prints an owner key of it once', async () => {
    const { db } = node.installation.store
    const first = node.firstKey
    expect(first?.team).toBe('personal')
    expect(await db.select().from(users)).toHaveLength(1)
    expect(await db.select().from(teams)).toMatchObject([{ slug: 'personal', personal: true }])
    const { status, body } = await apiOf(node, first?.token)('GET', '/v1/apikeys')
    expect(status).toBe(200)
    expect(body.data).toMatchObject([{ name: 'first key', role: 'owner', team: 'personal' }])
    expect(JSON.stringify(await db.select().from(apiKeys))).not.toContain(first?.token)
  })

  it('happens once, also when several nodes start together', async () => {
    const { store, keys } = node.installation
    const started = await Promise.all([1, 2, 3].map(() => setUp(store, keys.check, Date.now())))
    expect(started).toEqual([undefined, undefined, undefined])
    expect(await store.db.select().from(users)).toHaveLength(1)
  })
})

describe('the encryption key of a database', () => {
  it('is the one that it was set up with', async () => {
    const { store, keys } = node.installation
    await checkEncryptionKey(store.db, keys.check)
    const other = checkEncryptionKey(store.db, Buffer.alloc(32, 1))
    await expect(other).rejects.toThrow(SettingsError)
    await expect(other).rejects.toThrow('SVC_ENCRYPTION_KEY')
  })
})

describe("the operator's key", () => {
  it('is an owner key of the oldest team, whichever teams came later', async () => {
    const { store } = node.installation
    const { db } = store
    const laterMs = Date.now() + 1_000
    const team = { slug: 'later', name: 'Later', personal: false, ownerId: newId('user', laterMs) }
    await insertTeam(db, team, laterMs)
    const { token, team: slug } = await createOperatorKey(store, laterMs)
    expect(slug).toBe('personal')
    const { body } = await apiOf(node, token)('GET', '/v1/apikeys')
    expect(body.data[0]).toMatchObject({ name: 'operator key', role: 'owner', created_ms: laterMs })
  })

  it("belongs to that team's owner, so that it ends with that membership", async () => {
    const { db } = node.installation.store
    const rows = await db.select().from(apiKeys).where(eq(apiKeys.role, 'owner'))
    expect(new Set(rows.map(({ userId }) => userId)).size).toBe(1)
  })
})
