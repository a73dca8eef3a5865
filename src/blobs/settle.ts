/** What becomes of stored objects whose digests the team has already. */
import type { Database } from '../db/open.ts'
import type { BlobStore } from './blob-store.ts'
import { findBlobs, replaceObjects, type StoredBlob } from './rows.ts'
import { countUsedBytes } from './used-bytes.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number }

/** By object: it took the place of one that was lost, or is removed since the team's own is there. */
export type Settled = Map<string, 'placed' | 'removed'>

/** Settles objects of one team. Those whose digest was collected meanwhile aren't among the answers, and stay. */
export async function settle({ db, blobs, nowMs }: Deps, stored: StoredBlob[]): Promise<Settled> {
  const [first] = stored
  if (!first) return new Map()
  const digests = stored.map(({ sha256 }) => sha256)
  const known = await findBlobs(db, first.teamId, digests, nowMs)
  const lost = new Set(await blobs.findMissing(known.map(({ object }) => object)))
  const objects = new Map(stored.map(({ sha256, object }) => [sha256, object]))
  const replacements = known.flatMap(({ id, sha256, object }) => {
    const replacement = objects.get(sha256)
    return replacement !== undefined && lost.has(object) ? { id, object, replacement } : []
  })
  const settled: Settled = new Map()
  for (const object of await replaceObjects(db, replacements, nowMs)) settled.set(object, 'placed')
  // Their compressed forms went with the lost ones.
  if (settled.size > 0) await countUsedBytes(db, first.teamId)
  const there = known.filter(({ object }) => !lost.has(object)).map(({ sha256 }) => objects.get(sha256) ?? '')
  await Promise.all(there.map((object) => blobs.remove(object)))
  for (const object of there) settled.set(object, 'removed')
  return settled
}

/** The team's blobs with these digests whose bytes are there, too. */
export async function findWhole(
  { db, blobs, nowMs }: Deps,
  teamId: string,
  digests: string[],
): ReturnType<typeof findBlobs> {
  const known = await findBlobs(db, teamId, digests, nowMs)
  const lost = new Set(await blobs.findMissing(known.map(({ object }) => object)))
  return lost.size === 0 ? known : known.filter(({ object }) => !lost.has(object))
}
