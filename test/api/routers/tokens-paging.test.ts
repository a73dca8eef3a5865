import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertKey } from '../../../src/platform/callers/keys.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { apiKeys } from '../../../src/stores/db/schema/keys.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

/** Keys of which several are created in the same millisecond. */
async function addKeys(team: TestTeam, count: number, createdMs: (i: number) => number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const key = { teamId: team.id, userId: team.ownerId, name: `key ${i}`, role: 'member' } as const
    ids.push((await insertKey(db, { ...key, createdMs: createdMs(i) })).id)
  }
  return ids
}

/** The ids of every page; `between` runs before each next one. */
async function walk(team: TestTeam, limit: number, between = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await team.owner('GET', `/v1/apikeys?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
    await between()
  } while (cursor)
  return seen
}

describe('GET /v1/apikeys, page by page', () => {
  it('returns every key once, newest first, also those of one millisecond', async () => {
    const team = await newTeam(node)
    await addKeys(team, 10, (i) => Math.floor(i / 4) + 1)
    const rows = await db.select().from(apiKeys).where(eq(apiKeys.teamId, team.id))
    const expected = rows
      .toSorted((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    for (const limit of [1, 3, 4, 11, 100]) expect(await walk(team, limit)).toEqual(expected)
  })

  it('returns 20 by default, and null as the cursor of the last page', async () => {
    const team = await newTeam(node)
    await addKeys(team, 20, () => 1)
    const { body: first } = await team.owner('GET', '/v1/apikeys')
    expect(first.data).toHaveLength(20)
    const { body: last } = await team.owner('GET', `/v1/apikeys?cursor=${first.next_cursor}`)
    expect(last.data).toHaveLength(1)
    expect(last.next_cursor).toBeNull()
    const { body: all } = await team.owner('GET', '/v1/apikeys?limit=21')
    expect(all.next_cursor).toBeNull()
  })

  it('neither repeats nor skips any while others are added and deleted', async () => {
    const team = await newTeam(node)
    const ids = await addKeys(team, 12, (i) => 1_000 + i)
    const removed = new Set<string>()
    let round = 0
    const seen = await walk(team, 3, async () => {
      round += 1
      await addKeys(team, 2, () => Date.now() + round)
      const gone = ids[ids.length - 2 * round]
      if (!gone) return
      removed.add(gone)
      await team.owner('DELETE', `/v1/apikeys/${gone}`)
    })
    expect(new Set(seen).size).toBe(seen.length)
    for (const id of ids) if (!removed.has(id)) expect(seen).toContain(id)
  })

  it('continues behind a key that was revoked since', async () => {
    const team = await newTeam(node)
    const ids = await addKeys(team, 4, (i) => i + 1)
    const { body: first } = await team.owner('GET', '/v1/apikeys?limit=3')
    await team.owner('DELETE', `/v1/apikeys/${first.data[2].id}`)
    const { body: second } = await team.owner('GET', `/v1/apikeys?limit=3&cursor=${first.next_cursor}`)
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]])
  })

  it('400 that names an unknown parameter', async () => {
    const team = await newTeam(node)
    const { status, body } = await team.owner('GET', '/v1/apikeys?page=2')
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'page' }])
  })
})
