/** Has compressed forms made again. */
import { inArray, sql } from 'drizzle-orm'
import { isOneOf } from '../../stores/blobs/rows.ts'
import { addUsedBytes } from '../../stores/blobs/used-bytes.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import type { RecordedObject } from './blob-pages.ts'
import type { CheckDeps } from './deps.ts'

/**
 * Forgets all forms of the blobs that these objects are of, and queues the blobs for compression. What is
 * left of the forms is swept later. Returns the objects.
 */
export async function resetForms(
  { db, nowMs }: Pick<CheckDeps, 'db' | 'nowMs'>,
  objects: RecordedObject[],
): Promise<Set<string>> {
  if (objects.length === 0) return new Set()
  const ids = [...new Set(objects.map(({ blobId }) => blobId))]
  const formBytes = sql`coalesce(${blobs.brSize}, 0) + coalesce(${blobs.gzipSize}, 0)`.mapWith(Number)
  await db.transaction(async (tx) => {
    // In the order in which deployments lock them.
    const before = await tx
      .select({ id: blobs.id, teamId: blobs.teamId, bytes: formBytes })
      .from(blobs)
      .where(isOneOf(ids))
      .orderBy(blobs.id)
      .for('no key update')
    await tx
      .update(blobs)
      .set({
        brObject: null,
        brSize: null,
        gzipObject: null,
        gzipSize: null,
        encodeAfterMs: nowMs(),
        encodeAttempts: 0,
      })
      .where(
        inArray(
          blobs.id,
          before.map(({ id }) => id),
        ),
      )
    await addUsedBytes(
      tx,
      before.map(({ teamId, bytes }) => ({ teamId, bytes: -bytes })),
    )
  })
  return new Set(objects.map(({ object }) => object))
}
