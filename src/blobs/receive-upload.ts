/** Takes the bytes of one blob into the store and records that the team has them. */
import type { Store } from '../db/store.ts'
import type { BlobIdentity, BlobStore } from './blob-store.ts'
import { findBlobs, recordBlobs } from './rows.ts'
import { verifyBytes } from './verify-bytes.ts'

/**
 * Stores what `source` yields; once it resolves, the blob is durable and can be deployed for an hour at least. A blob
 * that the team has already is checked but not stored twice.
 * @throws AppError as `BlobStore.put` does.
 */
export async function receiveUpload(
  { store: { db }, blobs, nowMs }: { store: Store; blobs: BlobStore; nowMs: () => number },
  { teamId, sha256, size }: BlobIdentity & { teamId: string },
  source: AsyncIterable<Uint8Array>,
): Promise<BlobIdentity> {
  const [known] = await findBlobs(db, teamId, [sha256], nowMs())
  if (known) {
    for await (const _ of verifyBytes({ sha256, size }, source));
    return { sha256, size }
  }
  const object = await blobs.put(teamId, { sha256, size }, source)
  const { unneeded } = await recordBlobs(db, teamId, [{ sha256, size, object }], nowMs())
  for (const each of unneeded) await blobs.remove(each)
  return { sha256, size }
}
