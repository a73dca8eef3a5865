/** Garbage-collects released manifests, then their blobs. */

import { and, asc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { isHeld } from '../../../stores/blobs/hold-collection.ts'
import { namesIn, objectColumns } from '../../../stores/blobs/object-names.ts'
import { isOneOf } from '../../../stores/blobs/rows.ts'
import { addUsedBytes, storedBytes } from '../../../stores/blobs/used-bytes.ts'
import type { Database } from '../../../stores/db/database.ts'
import { blobs } from '../../../stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../../stores/db/schema/manifests.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number }

const entriesPerRound = 5_000
const blobsPerRound = 500

/**
 * Deletes the entries of a released manifest, in batches, and marks their blobs for `collectBlobs`; the
 * manifest goes with the last of them. Returns how many rows it deleted.
 */
export async function collectManifests({ db, nowMs }: Deps): Promise<number> {
  return db.transaction(async (tx) => {
    const [manifest] = await tx
      .select({ id: manifests.id })
      .from(manifests)
      .where(isNotNull(manifests.releasedMs))
      .orderBy(asc(manifests.releasedMs))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!manifest) return 0
    const batch = await tx
      .delete(manifestEntries)
      .where(
        and(
          eq(manifestEntries.manifestId, manifest.id),
          inArray(
            manifestEntries.path,
            tx
              .select({ path: manifestEntries.path })
              .from(manifestEntries)
              .where(eq(manifestEntries.manifestId, manifest.id))
              .limit(entriesPerRound),
          ),
        ),
      )
      .returning({ blobId: manifestEntries.blobId })
    const ids = [...new Set(batch.map((entry) => entry.blobId))]
    const locked = tx
      .select({ id: blobs.id })
      .from(blobs)
      .where(isOneOf(ids))
      .orderBy(blobs.id)
      .for('no key update')
    await tx
      .update(blobs)
      // Including marked ones: `collectBlobs` may just be unmarking them.
      .set({ collectAfterMs: sql`greatest(${blobs.collectAfterMs}, ${nowMs}::bigint)` })
      .where(inArray(blobs.id, locked))
    if (batch.length === entriesPerRound) return batch.length
    await tx.delete(manifests).where(eq(manifests.id, manifest.id))
    return batch.length + 1
  })
}

/**
 * Deletes expired, unreferenced blobs: first the rows, then the objects with their compressed variants.
 * Against a concurrent deployment that uses a blob, the first to lock the row wins. Returns how many blobs it
 * deleted: none when none is left, however many referenced ones there were, and none while a backup holds
 * them.
 */
export async function collectBlobs(deps: Deps): Promise<number> {
  let round: { due: number; deleted: number }
  do round = await collectDue(deps)
  while (round.deleted === 0 && round.due === blobsPerRound)
  return round.deleted
}

async function collectDue({ db, blobs: store, nowMs }: Deps): Promise<{ due: number; deleted: number }> {
  const { due, objects } = await db.transaction(async (tx) => {
    if (await isHeld(tx)) return { due: [], objects: [] }
    const due = await tx
      .select({ id: blobs.id })
      .from(blobs)
      .where(lt(blobs.collectAfterMs, nowMs))
      .orderBy(asc(blobs.collectAfterMs))
      .limit(blobsPerRound)
      .for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    // A separate statement, which sees every entry committed before the locks were acquired.
    const used = await tx
      .update(blobs)
      .set({ collectAfterMs: null })
      .where(and(inArray(blobs.id, ids), isReferredTo))
      .returning({ id: blobs.id })
    const usedIds = new Set(used.map(({ id }) => id))
    const free = ids.filter((id) => !usedIds.has(id))
    const deleted = await tx
      .delete(blobs)
      .where(inArray(blobs.id, free))
      .returning({ ...objectColumns, teamId: blobs.teamId, bytes: storedBytes.mapWith(Number) })
    await addUsedBytes(
      tx,
      deleted.map(({ teamId, bytes }) => ({ teamId, bytes: -bytes })),
    )
    return { due, objects: deleted.map(({ object, br, gzip }) => ({ object, br, gzip })) }
  })
  for (const object of namesIn(objects)) await store.remove(object)
  return { due: due.length, deleted: objects.length }
}

/** Stops at the first entry. */
const isReferredTo = sql`(
  select true from ${manifestEntries} where ${manifestEntries}.blob_id = ${blobs}.id limit 1) is not null`
