/** Resolves stored objects whose digests the team already has. */
import type { Database } from '../db/database.ts'
import type { BlobStore } from './blob-store.ts'
import { findBlobs, replaceObjects, type StoredBlob } from './rows.ts'
import { countUsedBytes } from './used-bytes.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number }

/** By object: it replaces a lost one, or is deleted since the team's own exists. */
export type Settled = Map<string, 'placed' | 'removed'>

/**
 * Settles objects of one team. Objects whose blob was collected meanwhile are kept, and not in the result.
 */
export async function settle({ db, blobs, nowMs }: Deps, stored: StoredBlob[]): Promise<Settled> {
  const [first] = stored
  if (!first) return new Map()
  const digests = stored.map(({ sha256 }) => sha256)
  const known = await findBlobs(db, first.teamId, digests, nowMs)
  const lost = new Set(await blobs.findMissing(known))
  const objects = new Map(stored.map(({ sha256, object }) => [sha256, object]))
  const replacements = known.flatMap(({ id, sha256, object }) => {
    const replacement = objects.get(sha256)
    return replacement !== undefined && lost.has(object) ? { id, object, replacement } : []
  })
  const settled: Settled = new Map()
  for (const object of await replaceObjects(db, replacements, nowMs)) settled.set(object, 'placed')
  // The compressed variants of the lost ones.
  if (settled.size > 0) await countUsedBytes(db, first.teamId)
  const there = known.filter(({ object }) => !lost.has(object)).map(({ sha256 }) => objects.get(sha256) ?? '')
  await Promise.all(there.map((object) => blobs.remove(object)))
  for (const object of there) settled.set(object, 'removed')
  return settled
}

/** The team's blobs with these digests whose objects exist. */
export async function findWhole(
  { db, blobs, nowMs }: Deps,
  teamId: string,
  digests: string[],
): ReturnType<typeof findBlobs> {
  const known = await findBlobs(db, teamId, digests, nowMs)
  const lost = new Set(await blobs.findMissing(known))
  return lost.size === 0 ? known : known.filter(({ object }) => !lost.has(object))
}
