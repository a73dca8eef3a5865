/** Which blobs a team has: the rows beside the stored bytes. */
import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'

/** How long a blob that nothing refers to is kept, so that what was uploaded can still be deployed. */
export const unreferencedGraceMs = 60 * 60 * 1000

/** A blob of the team, by its row. */
export type KnownBlob = { id: number; sha256: string; size: number }

/**
 * Those of the digests that the team has. The ones that nothing refers to yet are kept for another hour, so that a
 * client that was told about them can rely on it.
 */
export async function findBlobs(
  db: Database,
  teamId: string,
  digests: string[],
  nowMs: number,
): Promise<KnownBlob[]> {
  const wanted = and(
    eq(blobs.teamId, teamId),
    sql`${blobs.sha256} = any(string_to_array(${digests.join(',')}, ','))`,
  )
  const keepUntilMs = nowMs + unreferencedGraceMs
  const expiring = db
    .select({ id: blobs.id })
    .from(blobs)
    .where(
      and(
        wanted,
        isNotNull(blobs.collectAfterMs),
        lt(blobs.collectAfterMs, keepUntilMs - unreferencedGraceMs / 2),
      ),
    )
    .orderBy(blobs.id)
    .for('no key update')
  await db.update(blobs).set({ collectAfterMs: keepUntilMs }).where(inArray(blobs.id, expiring))
  return db.select({ id: blobs.id, sha256: blobs.sha256, size: blobs.size }).from(blobs).where(wanted)
}

/** An object in the blob store that is to become the team's blob. */
export type StoredBlob = { sha256: string; size: number; object: string }

/** A statement takes at most 65,535 parameters; a row has five. */
const rowsPerStatement = 10_000

/**
 * Records stored objects. Returns those that aren't needed because the team had the digest already: the caller removes
 * them from the blob store.
 */
export async function recordBlobs(
  db: Database,
  teamId: string,
  stored: StoredBlob[],
  nowMs: number,
): Promise<{ unneeded: string[] }> {
  const collectAfterMs = nowMs + unreferencedGraceMs
  // One order for all, so that two callers with the same blobs wait for each other instead of deadlocking.
  const sorted = stored.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  const kept = new Set<string>()
  for (let start = 0; start < sorted.length; start += rowsPerStatement) {
    const rows = await db
      .insert(blobs)
      .values(
        sorted.slice(start, start + rowsPerStatement).map((each) => ({ teamId, ...each, collectAfterMs })),
      )
      .onConflictDoNothing({ target: [blobs.teamId, blobs.sha256] })
      .returning({ object: blobs.object })
    for (const row of rows) kept.add(row.object)
  }
  return { unneeded: stored.map((each) => each.object).filter((object) => !kept.has(object)) }
}
