import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import { createLastUsed } from '../../../src/platform/callers/last-used.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { sessions } from '../../../src/stores/db/schema/sessions.ts'
import { apiOf } from '../../support/api.ts'
import { enforcingNode, mint } from '../../support/enforcing-node.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
  team = await newTeam(node)
})

async function newKey(): Promise<string> {
  const key = { teamId: team.id, userId: team.ownerId, name: 'key', role: 'member', createdMs: 1 } as const
  return (await insertKey(db, key)).id
}

async function lastUsedMs(id: string): Promise<number | undefined> {
  const [row] = await db.select({ ms: apiKeys.lastUsedMs }).from(apiKeys).where(eq(apiKeys.id, id))
  return row?.ms
}

/** The same database, of which the next `failures` statements fail. */
function failing(failures: number) {
  const execute = (...args: Parameters<typeof db.execute>) => {
    failures -= 1
    return failures < 0 ? db.execute(...args) : Promise.reject(new Error('The database is away.'))
  }
  return Object.create(db, { execute: { value: execute } })
}

describe('last_used_ms of a key', () => {
  it('is 0 until it is used, and the time of its use soon after', async () => {
    const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
    const readLastUsed = async () => {
      const { body } = await team.owner('GET', '/v1/apikeys?limit=100')
      return body.data.find(({ id }: { id: string }) => id === key.id).last_used_ms
    }
    expect(key.last_used_ms).toBe(0)
    expect(await readLastUsed()).toBe(0)
    const beforeMs = Date.now()
    await apiOf(node, key.token)('GET', '/v1/projects')
    const afterMs = Date.now()
    await eventually(async () => expect(await readLastUsed()).toBeGreaterThan(0))
    expect(await readLastUsed()).toBeGreaterThanOrEqual(beforeMs)
    expect(await readLastUsed()).toBeLessThanOrEqual(afterMs)
  })
})

describe('the time of the last use of a session', () => {
  const hourMs = 3_600_000

  it.each<[string, () => Promise<TestNode>]>([
    ['itself', async () => node],
    ['a JWT of it', () => enforcingNode()],
  ])('is known to the minute: with %s', async (way, at) => {
    const there = await at()
    const { db: rows } = there.installation.store
    const { ownerId } = await newTeam(there)
    const session = await newSession(there, ownerId)
    const { api } = way === 'itself' ? session : await mint(there, session.token)
    const isSession = eq(sessions.id, session.id)
    const usedMs = async () => (await rows.select().from(sessions).where(isSession))[0]?.updatedMs ?? 0
    const set = (updatedMs: number) =>
      there.installation.store.transact(async (tx) => {
        const [row] = await tx.update(sessions).set({ updatedMs }).where(isSession).returning()
        tx.announce({ kind: 'session', id: row?.tokenSha256 ?? '' })
      })
    const nowMs = Date.now()
    await set(nowMs - 30_000)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    // Uses are written every second.
    await sleep(1_500)
    expect(await usedMs()).toBe(nowMs - 30_000)
    await set(nowMs - hourMs)
    expect((await api('GET', '/v1/projects')).status).toBe(200)
    await eventually(async () => expect(await usedMs()).toBeGreaterThanOrEqual(nowMs))
    const [row] = await rows.select().from(sessions).where(isSession)
    expect(row?.expiresMs).toBe((row?.updatedMs ?? 0) + 14 * 24 * hourMs)
  })
})

describe('the recorded uses', () => {
  it('are written in one statement, the latest of each key', async () => {
    const [one, two, unused] = [await newKey(), await newKey(), await newKey()]
    let statements = 0
    const counting = Object.create(db, {
      execute: {
        value: (...args: Parameters<typeof db.execute>) => {
          statements += 1
          return db.execute(...args)
        },
      },
    })
    const lastUsed = createLastUsed(counting)
    lastUsed.note(one, 1_000)
    lastUsed.note(two, 2_000)
    lastUsed.note(one, 3_000)
    expect(await lastUsedMs(one)).toBe(0)
    await lastUsed.flush()
    expect(await Promise.all([one, two, unused].map(lastUsedMs))).toEqual([3_000, 2_000, 0])
    await lastUsed.flush()
    expect(statements).toBe(1)
  })

  it('never move a time back, even when two nodes write', async () => {
    const id = await newKey()
    const [early, late] = [createLastUsed(db), createLastUsed(db)]
    early.note(id, 1_000)
    late.note(id, 2_000)
    await late.flush()
    await early.flush()
    expect(await lastUsedMs(id)).toBe(2_000)
  })

  it('are kept for the next time while the database is unreachable', async () => {
    const [one, two] = [await newKey(), await newKey()]
    const lastUsed = createLastUsed(failing(1))
    lastUsed.note(one, 1_000)
    lastUsed.note(two, 1_000)
    await expect(lastUsed.flush()).rejects.toThrow('away')
    lastUsed.note(one, 2_000)
    await lastUsed.flush()
    expect(await Promise.all([one, two].map(lastUsedMs))).toEqual([2_000, 1_000])
  })

  it('do not restore a revoked key', async () => {
    const lastUsed = createLastUsed(db)
    const id = newId('key', 1)
    lastUsed.note(id, 1_000)
    await lastUsed.flush()
    expect(await lastUsedMs(id)).toBeUndefined()
  })
})
