/** The storage used by a team's blobs, with their compressed variants. */
import { and, eq, gt, max, sql } from 'drizzle-orm'
import { letOthersRun } from '../../lib/async/let-others-run.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { blobs } from '../db/schema/blobs.ts'
import { storage } from '../db/schema/storage.ts'

/** Bytes of a blob with its variants, by row. */
export const storedBytes = sql`${blobs.size} + coalesce(${blobs.brSize}, 0) + coalesce(${blobs.gzipSize}, 0)`

const usedQuery = prepared((db) =>
  db
    .select({ usedBytes: storage.usedBytes })
    .from(storage)
    .where(eq(storage.teamId, sql.placeholder('teamId')))
    .prepare('used_bytes'),
)

/** For a team older than the counts, all blobs are counted once. */
export async function readUsedBytes(db: Database, teamId: string): Promise<number> {
  const [known] = await usedQuery(db).execute({ teamId })
  return known?.usedBytes ?? (await countUsedBytes(db, teamId))
}

/** Recounts them, and maintains the count from then on. */
export function countUsedBytes(db: Database, teamId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.insert(storage).values({ teamId, usedBytes: 0 }).onConflictDoNothing()
    // Concurrent additions wait for this lock, and the next statements see earlier ones.
    await tx.select().from(storage).where(eq(storage.teamId, teamId)).for('no key update')
    const usedBytes = await sumOfBlobs(tx, teamId)
    await tx.update(storage).set({ usedBytes }).where(eq(storage.teamId, teamId))
    return usedBytes
  })
}

/** Rows per statement, each of which has a time limit. */
const perPage = 10_000

/**
 * The bytes of all blobs of the team, added up page by page; consistent in a transaction that sees no
 * changes.
 */
export async function sumOfBlobs(tx: Database, teamId: string): Promise<number> {
  let sum = 0
  let after = ''
  for (;;) {
    const page = tx
      .select({ sha256: blobs.sha256, bytes: storedBytes.mapWith(Number).as('bytes') })
      .from(blobs)
      .where(and(eq(blobs.teamId, teamId), gt(blobs.sha256, after)))
      .orderBy(blobs.sha256)
      .limit(perPage)
      .as('page')
    const [added] = await tx
      .select({ bytes: sql`coalesce(sum(bytes), 0)`.mapWith(Number), last: max(page.sha256) })
      .from(page)
    if (!added || added.last === null) return sum
    sum += added.bytes
    after = added.last
    await letOthersRun()
  }
}

/**
 * Adds changes of blobs to the teams' counts, in the same transaction. Always after the blobs are locked, and
 * in the order of the teams, to avoid deadlocks.
 */
export async function addUsedBytes(
  tx: Database,
  changes: { teamId: string; bytes: number }[],
): Promise<void> {
  const sums = new Map<string, number>()
  for (const { teamId, bytes } of changes) sums.set(teamId, (sums.get(teamId) ?? 0) + bytes)
  const rows = [...sums].filter(([, bytes]) => bytes !== 0)
  if (rows.length === 0) return
  const added = JSON.stringify(rows.map(([team_id, bytes]) => ({ team_id, bytes })))
  const changed = sql`select team_id from json_to_recordset(${added}::json) as added(team_id text)`
  const locked = tx
    .select({ teamId: storage.teamId })
    .from(storage)
    .where(sql`${storage.teamId} in (${changed})`)
    .orderBy(storage.teamId)
    .for('no key update')
  await tx
    .update(storage)
    .set({ usedBytes: sql`${storage.usedBytes} + added.bytes` })
    .from(sql`json_to_recordset(${added}::json) as added(team_id text, bytes bigint)`)
    .where(sql`${storage.teamId} = added.team_id and ${storage.teamId} = any(array(${locked}))`)
}
