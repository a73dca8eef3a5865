/**
 * The uploads of limited members and keys: of digests that only other projects of the team have, they must
 * have sent the bytes themselves.
 */
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { ownUploads } from '../db/schema/own-uploads.ts'
import { unreferencedGraceMs } from './rows.ts'

type Uploader = { teamId: string; senderId: string }

const perRound = 1_000

/** Records that the sender has sent the bytes of this digest: for as long as they are kept undeployed. */
export async function recordOwnUpload(
  db: Database,
  { teamId, senderId, sha256 }: Uploader & { sha256: string },
  nowMs: number,
): Promise<void> {
  const untilMs = nowMs + unreferencedGraceMs
  await db
    .insert(ownUploads)
    .values({ teamId, senderId, sha256, untilMs })
    .onConflictDoUpdate({
      target: [ownUploads.teamId, ownUploads.senderId, ownUploads.sha256],
      set: { untilMs },
    })
}

/** Which of the digests the sender has sent. */
export async function findOwnUploads(
  db: Database,
  { teamId, senderId }: Uploader,
  digests: string[],
  nowMs: number,
): Promise<string[]> {
  const wanted = sql`unnest(string_to_array(${digests.join(',')}, ',')) as wanted(digest)`
  const rows = await db
    .select({ sha256: ownUploads.sha256 })
    .from(ownUploads)
    .innerJoin(wanted, sql`${ownUploads.sha256} = wanted.digest`)
    .where(
      and(eq(ownUploads.teamId, teamId), eq(ownUploads.senderId, senderId), gt(ownUploads.untilMs, nowMs)),
    )
  return rows.map(({ sha256 }) => sha256)
}

/** Deletes up to 1,000 whose time is over. Returns how many. */
export async function deleteOldUploads({ db, nowMs }: { db: Database; nowMs: number }): Promise<number> {
  const ended = db
    .select({ place: sql`ctid` })
    .from(ownUploads)
    .where(lte(ownUploads.untilMs, nowMs))
    .orderBy(asc(ownUploads.untilMs))
    .limit(perRound)
    .for('update', { skipLocked: true })
  const forgotten = await db
    .delete(ownUploads)
    // As an array, so that the subquery runs once, whatever the plan.
    .where(sql`ctid = any(array(${ended}))`)
    .returning({ sha256: ownUploads.sha256 })
  return forgotten.length
}
