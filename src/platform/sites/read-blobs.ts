/** Reads the contents of a few blobs. */
import { inArray } from 'drizzle-orm'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Database } from '../../stores/db/database.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'

/** The whole contents by digest. @throws AppError `store_unavailable`. */
export async function readBlobs(
  { db, blobs: store }: { db: Database; blobs: BlobStore },
  ids: number[],
): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ sha256: blobs.sha256, object: blobs.object })
    .from(blobs)
    .where(inArray(blobs.id, ids))
  const entries = rows.map(async ({ sha256, object }) => [sha256, await store.read(object)] as const)
  return new Map(await Promise.all(entries))
}
