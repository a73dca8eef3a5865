/**
 * Corrects how many bytes teams are said to use, where nodes of a version that didn't count have added or
 * removed some.
 */
import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { storage } from '../db/schema/storage.ts'
import { sumOfBlobs } from './used-bytes.ts'

const perPage = 100

/** A team whose number lacks that many bytes, which may be negative. */
export type Miscounted = { teamId: string; missing: number }

/**
 * Compares the number of each team with its blobs, one team after another, until `stopping` aborts. Returns
 * how many were corrected. One at a time: each would add what is missing.
 */
export async function recountUsedBytes(db: Database, stopping: AbortSignal): Promise<number> {
  let corrected = 0
  for await (const miscounted of findMiscounted(db)) {
    if (stopping.aborted) return corrected
    if (miscounted === undefined) continue
    await correctUsedBytes(db, miscounted)
    corrected += 1
  }
  return corrected
}

/** Looks at one team after another; yields undefined where the number is right. */
export async function* findMiscounted(db: Database): AsyncGenerator<Miscounted | undefined> {
  for (let after = ''; ; ) {
    const page = await teamsAfter(db, after)
    for (const teamId of page) {
      const missing = await missingBytes(db, teamId)
      yield missing === 0 ? undefined : { teamId, missing }
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Adds what is missing: whatever has been added and counted meanwhile stays so. */
export async function correctUsedBytes(db: Database, { teamId, missing }: Miscounted): Promise<void> {
  const usedBytes = sql`${storage.usedBytes} + ${missing}::bigint`
  await db.update(storage).set({ usedBytes }).where(eq(storage.teamId, teamId))
}

async function teamsAfter(db: Database, after: string): Promise<string[]> {
  const rows = await db
    .select({ teamId: storage.teamId })
    .from(storage)
    .where(gt(storage.teamId, after))
    .orderBy(asc(storage.teamId))
    .limit(perPage)
  return rows.map(({ teamId }) => teamId)
}

/**
 * In one snapshot, which has blobs and numbers as they are committed together: without a lock that would hold
 * writers up.
 */
function missingBytes(db: Database, teamId: string): Promise<number> {
  return db.transaction(
    async (tx) => {
      const [known] = await tx.select().from(storage).where(eq(storage.teamId, teamId))
      return known ? (await sumOfBlobs(tx, teamId)) - known.usedBytes : 0
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
