/**
 * Moves unreferenced objects to the trash: leftovers of crashes between storing and recording, or while
 * deleting.
 */
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { findNamed } from '../../../stores/blobs/object-names.ts'
import type { Database } from '../../../stores/db/database.ts'

type Deps = { db: Database; blobs: BlobStore; nowMs: number; stopping?: AbortSignal }

/** How long trash is kept, and at most how many bytes. */
export type TrashLimits = { days: number; maxBytes: number }

/** How many objects are unreferenced, of how many, and how many were moved. */
export type Swept = { stray: number; objects: number; swept: number }

/** Younger objects may still be recorded by their upload. */
const strayAgeMs = 60 * 60 * 1000

/** Crashes leave a few. More than this, and more than a tenth of all, indicate the wrong database. */
const maxStray = 100
const maxStrayShare = 0.1

const dayMs = 24 * 60 * 60 * 1000

/** Whether there are so many that an operator has to confirm. */
export function isTooMany({ stray, objects }: Pick<Swept, 'stray' | 'objects'>): boolean {
  return stray > maxStray && stray > objects * maxStrayShare
}

/** Counts them, and changes nothing. Skips objects of the last hour, which may still be recorded. */
export async function countStray(deps: Deps): Promise<Omit<Swept, 'swept'>> {
  let [stray, objects] = [0, 0]
  for await (const batch of listStray(deps)) {
    stray += batch.stray.length
    objects += batch.objects
  }
  return { stray, objects }
}

/**
 * Moves them to the trash, or deletes them if nothing is kept; none if there are too many, unless `evenMany`.
 * First restores trash that is referenced again, and deletes expired trash.
 */
export async function sweepStray(
  deps: Deps,
  { days, maxBytes }: TrashLimits,
  { evenMany = false }: { evenMany?: boolean } = {},
): Promise<Swept> {
  await takeBackNamed(deps)
  const found = await countStray(deps)
  const limit = isTooMany(found) && !evenMany ? 0 : found.stray
  const swept = limit > 0 ? await putAside(deps, { limit, days }) : 0
  await deps.blobs.removeDiscarded({ beforeDay: dayOf(deps.nowMs - days * dayMs), maxBytes })
  return { ...found, swept }
}

async function putAside(deps: Deps, { limit, days }: { limit: number; days: number }): Promise<number> {
  let swept = 0
  for await (const { stray } of listStray(deps)) {
    for (const object of stray) {
      if (swept === limit) return swept
      await discardStray(deps, object, days)
      swept += 1
    }
  }
  return swept
}

/** Moves one to the trash, or deletes it if trash is kept for no `days`. */
export async function discardStray(
  { blobs, nowMs }: Pick<Deps, 'blobs' | 'nowMs'>,
  object: string,
  days: number,
): Promise<void> {
  await (days > 0 ? blobs.discard(object, dayOf(nowMs)) : blobs.remove(object))
}

async function takeBackNamed({ db, blobs, stopping }: Deps): Promise<void> {
  for await (const objects of blobs.listDiscarded()) {
    if (stopping?.aborted) return
    for (const object of await findNamed(db, objects))
      if (objects.includes(object)) await blobs.takeBack(object)
  }
}

/** The unreferenced ones of more than an hour ago, with how many objects there were, in batches. */
export async function* listStray({ db, blobs, nowMs, stopping }: Deps) {
  for await (const objects of blobs.listOlderThan(nowMs - strayAgeMs)) {
    if (stopping?.aborted) return
    const named = await findNamed(db, objects)
    yield { objects: objects.length, stray: objects.filter((object) => !named.has(object)) }
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
