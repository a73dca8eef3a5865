/** Copies the files that a backup lists from one blob store to another, leaving out those that are there. */
import { createHash } from 'node:crypto'
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { copyObject } from '../../stores/blobs/copy-objects.ts'
import { digestOf } from '../../stores/blobs/object-identity.ts'
import type { ListedBlob } from './blob-list.ts'

/** Reports long work to people. */
export type Progress = {
  /** Begins a phase of this many files and bytes. */
  begin(what: string, files: number, bytes: number): void
  /** This many more are done. */
  add(files: number, bytes: number): void
}

export type CopyingListed = {
  from: BlobStore
  to: BlobStore
  list: AsyncIterable<ListedBlob[]>
  /** Whether files that are there already are verified by their digest, too, and not only by their size. */
  verifiesExisting: boolean
  signal: AbortSignal
  progress: Progress
}

export type CopiedListed = { copied: number; bytes: number; missing: Missing }

/** How many files are missing or damaged, and the names of the first of them. */
export type Missing = { count: number; objects: string[] }

const atATime = 16

/** More names help nobody. */
const maxNamed = 1_000

/**
 * Copies them, each verified by its digest. Files that are missing or damaged are left out, and named.
 * @throws AppError `store_unavailable`; the signal's reason when it aborts.
 */
export async function copyListed(copying: CopyingListed): Promise<CopiedListed> {
  const { from, to, list, verifiesExisting, signal, progress } = copying
  const result: CopiedListed = { copied: 0, bytes: 0, missing: { count: 0, objects: [] } }
  for await (const batch of list) {
    const sizes = await to.sizesOf(batch.map(({ object }) => object))
    await inParallel(batch, atATime, async (listed) => {
      signal.throwIfAborted()
      const isThere = sizes.get(listed.object) === listed.size
      if (!isThere || (verifiesExisting && !(await isWhole(to, listed)))) {
        const bytes = await copyOrTakeBack({ from, to }, listed.object)
        if (bytes === undefined) addMissing(result.missing, listed.object)
        else {
          result.copied += 1
          result.bytes += bytes
        }
      }
      progress.add(1, listed.size)
    })
  }
  return result
}

/** Looks for the listed files, and names those that are missing or have another size. */
export async function findMissingListed(
  store: BlobStore,
  list: AsyncIterable<ListedBlob[]>,
  { signal, progress }: Pick<CopyingListed, 'signal' | 'progress'>,
): Promise<Missing> {
  const missing: Missing = { count: 0, objects: [] }
  for await (const batch of list) {
    signal.throwIfAborted()
    const sizes = await store.sizesOf(batch.map(({ object }) => object))
    for (const { object, size } of batch) if (sizes.get(object) !== size) addMissing(missing, object)
    progress.add(
      batch.length,
      batch.reduce((sum, { size }) => sum + size, 0),
    )
  }
  return missing
}

function addMissing(missing: Missing, object: string): void {
  missing.count += 1
  if (missing.objects.length < maxNamed) missing.objects.push(object)
}

/** An object may be in the trash by mistake: a read would restore it, too. */
async function copyOrTakeBack(
  stores: Pick<CopyingListed, 'from' | 'to'>,
  object: string,
): Promise<number | undefined> {
  let bytes = await copyObject(stores, object)
  if (bytes === 'gone' && (await stores.from.takeBack(object))) bytes = await copyObject(stores, object)
  return typeof bytes === 'number' ? bytes : undefined
}

/** Whether an object's bytes are those that its name says. */
async function isWhole(store: BlobStore, { object }: ListedBlob): Promise<boolean> {
  const digest = createHash('sha256')
  for await (const chunk of store.streamRaw(object)) digest.update(chunk)
  return digest.digest('hex') === digestOf(object)
}
