/** Makes blobs of stored objects, whatever else happens to their digests meanwhile. */
import type { Database } from '../db/database.ts'
import type { BlobStore } from './blob-store.ts'
import { settle } from './reuse-stored.ts'
import { type KnownBlob, recordBlobs, type StoredBlob } from './rows.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number }

/**
 * Records objects of one team, with `record` unless they are recorded as they are. Returns the blobs they
 * became: an object whose digest the team has by now replaces a lost one, or is removed.
 */
export async function recordStored(
  { db, blobs, nowMs }: Deps,
  stored: StoredBlob[],
  record: (stored: StoredBlob[]) => ReturnType<typeof recordBlobs> = (all) => recordBlobs(db, all, nowMs),
): Promise<KnownBlob[]> {
  if (stored.length === 0) return []
  const { recorded, unneeded } = await record(stored)
  blobs.recorded(stored.flatMap(({ object }) => (unneeded.has(object) ? [] : object)))
  if (unneeded.size === 0) return recorded
  const settled = await settle(
    { db, blobs, nowMs },
    stored.filter(({ object }) => unneeded.has(object)),
  )
  await Promise.all([...unneeded].filter((object) => !settled.has(object)).map(blobs.remove))
  return recorded
}
