/** Stores files of this host as blobs of a team. */
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { reserve, type StorageLimits } from '../../stores/blobs/quota.ts'
import { createReceiveUpload } from '../../stores/blobs/receive-upload.ts'
import { findWhole } from '../../stores/blobs/reuse-stored.ts'
import { streamFile } from '../../stores/blobs/stream-file.ts'
import type { Store } from '../../stores/db/store.ts'

/** A file of this host at `source`, with its digest. */
export type SourceFile = { source: string; sha256: string; size: number }

export type StoreDeps = { store: Store; blobs: BlobStore; storage: StorageLimits; nowMs: () => number }

const parallelPuts = 16

/**
 * Stores those of the files that the team hasn't yet. Once it resolves, the team has the blobs of all of them
 * for an hour at least.
 * @throws AppError `store_unavailable`, `storage_quota`; the signal's reason when it aborts.
 */
export async function storeFiles(
  { store, blobs, storage, nowMs }: StoreDeps,
  teamId: string,
  files: SourceFile[],
  signal: AbortSignal,
): Promise<void> {
  const missing = new Map(files.map((file) => [file.sha256, file]))
  for (const { sha256 } of await findWhole({ db: store.db, blobs, nowMs: nowMs() }, teamId, [
    ...missing.keys(),
  ])) {
    missing.delete(sha256)
  }
  const receive = createReceiveUpload({ store, blobs, nowMs })
  const reservation = await reserve({ db: store.db, storage, nowMs }, teamId, missing.values())
  try {
    await inParallel(missing.values(), parallelPuts, async ({ source, sha256, size }) => {
      signal.throwIfAborted()
      await receive({ teamId, sha256, size }, streamFile(source))
    })
  } finally {
    await reservation.release()
  }
}
