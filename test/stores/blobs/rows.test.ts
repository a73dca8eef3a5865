import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { findBlobs, recordBlobs, unreferencedGraceMs } from '../../../src/stores/blobs/rows.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { sha256 } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

const hourMs = unreferencedGraceMs

/** Far ahead, so that no worker considers these old. */
const nowMs = Date.now() + 1_000 * hourMs

function stored(teamId: string, content = unique('content')) {
  return { teamId, sha256: sha256(content), size: content.length, object: `${teamId}/${unique('object')}` }
}

async function collectAfterMs(teamId: string): Promise<(number | null)[]> {
  const rows = await db.select().from(blobs).where(eq(blobs.teamId, teamId)).orderBy(blobs.id)
  return rows.map((row) => row.collectAfterMs)
}

describe('recording stored objects', () => {
  it('makes them the team’s blobs, kept for an hour', async () => {
    const { id } = await newTeam(node)
    const one = stored(id)
    expect(await recordBlobs(db, [one], nowMs)).toMatchObject({
      recorded: [{ sha256: one.sha256 }],
      unneeded: new Set(),
    })
    expect(await findBlobs(db, id, [one.sha256], nowMs)).toMatchObject([
      { sha256: one.sha256, size: one.size },
    ])
    expect(await collectAfterMs(id)).toEqual([nowMs + hourMs])
  })

  it('returns those that are redundant because the team had the digest before', async () => {
    const { id } = await newTeam(node)
    const content = unique('same')
    const [first, second, other] = [stored(id, content), stored(id, content), stored(id)]
    await recordBlobs(db, [first], nowMs)
    expect(await recordBlobs(db, [second, other], nowMs)).toMatchObject({
      recorded: [{ sha256: other.sha256 }],
      unneeded: new Set([second.object]),
    })
  })

  it('keeps one of several concurrent ones, in whatever order', async () => {
    const { id } = await newTeam(node)
    const contents = Array.from({ length: 20 }, () => unique('rush'))
    const batches = [1, 2, 3, 4].map(() => contents.map((content) => stored(id, content)))
    const recorded = await Promise.all(
      batches.map((batch, i) => recordBlobs(db, i % 2 ? batch : batch.toReversed(), nowMs)),
    )
    const rows = await db.select().from(blobs).where(eq(blobs.teamId, id))
    const kept = rows.map(({ object }) => object)
    const unneeded = recorded.flatMap((each) => [...each.unneeded])
    expect(rows).toHaveLength(20)
    expect([...kept, ...unneeded].toSorted()).toEqual(
      batches
        .flat()
        .map(({ object }) => object)
        .toSorted(),
    )
  })
})

describe('looking up blobs', () => {
  it('finds those of the team and no other', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const mine = stored(one.id)
    await recordBlobs(db, [mine], nowMs)
    const digests = [sha256('nothing'), mine.sha256, mine.sha256]
    expect(await findBlobs(db, one.id, digests, nowMs)).toHaveLength(1)
    expect(await findBlobs(db, two.id, digests, nowMs)).toEqual([])
    expect(await findBlobs(db, one.id, [], nowMs)).toEqual([])
  })

  it('keeps an unreferenced one for another hour when half of its time is over', async () => {
    const { id } = await newTeam(node)
    const one = stored(id)
    await recordBlobs(db, [one], nowMs)
    await findBlobs(db, id, [one.sha256], nowMs + hourMs / 2)
    expect(await collectAfterMs(id)).toEqual([nowMs + hourMs])
    const laterMs = nowMs + hourMs / 2 + 1
    await findBlobs(db, id, [one.sha256], laterMs)
    expect(await collectAfterMs(id)).toEqual([laterMs + hourMs])
  })

  it('does not change a referenced one', async () => {
    const { id } = await newTeam(node)
    const one = stored(id)
    await recordBlobs(db, [one], nowMs)
    await db.update(blobs).set({ collectAfterMs: null }).where(eq(blobs.teamId, id))
    await findBlobs(db, id, [one.sha256], nowMs + 10 * hourMs)
    expect(await collectAfterMs(id)).toEqual([null])
  })
})
