/** Takes the bytes of one blob into the store and records that the team has them. */
import { inGroups } from '../db/in-groups.ts'
import type { Store } from '../db/store.ts'
import type { BlobIdentity, BlobStore } from './blob-store.ts'
import { findBlobs, recordBlobs, type StoredBlob } from './rows.ts'

type Deps = { store: Store; blobs: BlobStore; nowMs: () => number }

/** How often a blob that the team had may be collected while it is sent again, before that is an error. */
const maxAttempts = 3

/**
 * Stores what `source` yields; once it resolves, the blob is durable and can be deployed for an hour at least.
 * @throws AppError as `BlobStore.put` does.
 */
export type ReceiveUpload = (
  blob: BlobIdentity & { teamId: string },
  source: AsyncIterable<Uint8Array>,
) => Promise<BlobIdentity>

/** Uploads into `blobs`; those that end together are recorded in one transaction. */
export function createReceiveUpload({ store: { db }, blobs, nowMs }: Deps): ReceiveUpload {
  const recordInGroups = inGroups((stored: StoredBlob[]) => recordBlobs(db, stored, nowMs()))

  async function record(stored: StoredBlob, attempt: number): Promise<void> {
    const { unneeded } = await recordInGroups(stored)
    if (!unneeded.has(stored.object)) return
    const [known] = await findBlobs(db, stored.teamId, [stored.sha256], nowMs())
    if (known) await blobs.remove(stored.object)
    else if (attempt < maxAttempts) await record(stored, attempt + 1)
    else throw new Error('A blob is there whenever it is recorded and gone whenever it is looked up.')
  }

  return async ({ teamId, sha256, size }, source) => {
    const object = await blobs.put(teamId, { sha256, size }, source)
    await record({ teamId, sha256, size, object }, 1)
    return { sha256, size }
  }
}
