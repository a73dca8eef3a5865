/** Corrects how many bytes teams are said to use, where nodes of a version that didn't count have added or removed some. */
import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import { storage } from '../db/schema/storage.ts'
import { countUsedBytes, storedBytes } from './used-bytes.ts'

const perPage = 20

/** Compares the number of each team with its blobs, in pages, until `stopping` aborts. Returns how many were corrected. */
export async function recountUsedBytes(db: Database, stopping: AbortSignal): Promise<number> {
  let corrected = 0
  let after = ''
  while (!stopping.aborted) {
    const page = await compare(db, after)
    for (const { teamId, isRight } of page) {
      if (isRight) continue
      await countUsedBytes(db, teamId)
      corrected += 1
    }
    const last = page.at(-1)
    if (!last) break
    after = last.teamId
  }
  return corrected
}

/** In one statement, which sees blobs and numbers as they are committed together: without a lock that would hold writers up. */
function compare(db: Database, after: string): Promise<{ teamId: string; isRight: boolean }[]> {
  const counted = db
    .select({ bytes: sql`coalesce(sum(${storedBytes}), 0)` })
    .from(blobs)
    .where(eq(blobs.teamId, storage.teamId))
  return db
    .select({ teamId: storage.teamId, isRight: sql<boolean>`${storage.usedBytes} = (${counted})` })
    .from(storage)
    .where(gt(storage.teamId, after))
    .orderBy(asc(storage.teamId))
    .limit(perPage)
}
