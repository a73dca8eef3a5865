/** Copies the objects of one store into another, under the same names, while nodes use either. */
import { inParallel } from '../../lib/async/in-parallel.ts'
import { AppError } from '../../lib/errors.ts'
import type { BlobStore } from './blob-store.ts'
import { digestOf, isObjectName } from './object-identity.ts'

export type Copying = {
  from: BlobStore
  to: BlobStore
  signal: AbortSignal
  /** Called as the copy proceeds. */
  progress: (soFar: Copied) => void
}

export type Copied = {
  /** How many objects were found. */
  objects: number
  /** How many of them were missing in the other store, and have been copied. */
  copied: number
  bytes: number
  /** Objects whose bytes are not those that were stored; they are not copied. */
  damaged: string[]
}

const atATime = 16

/**
 * Copies what is missing; when it was broken off, it can be repeated. Objects that are removed meanwhile are
 * left out.
 * @throws AppError `store_unavailable`; the signal's reason when it aborts.
 */
export async function copyObjects({ from, to, signal, progress }: Copying): Promise<Copied> {
  const result: Copied = { objects: 0, copied: 0, bytes: 0, damaged: [] }
  for await (const listed of from.list()) {
    const objects = listed.filter(isObjectName)
    result.objects += objects.length
    await inParallel(await findMissing(from, to, objects), atATime, async (object) => {
      signal.throwIfAborted()
      const bytes = await copyObject({ from, to }, object)
      if (bytes === 'damaged') result.damaged.push(object)
      else if (bytes !== 'gone') {
        result.copied += 1
        result.bytes += bytes
      }
      progress(result)
    })
    signal.throwIfAborted()
    progress(result)
  }
  return result
}

/** The objects that the other store doesn't have as they are in this one. */
async function findMissing(from: BlobStore, to: BlobStore, objects: string[]): Promise<string[]> {
  const sizes = await from.sizesOf(objects)
  return to.findMissing([...sizes].map(([object, size]) => ({ object, size })))
}

/**
 * Copies one object; resolves to its length in bytes, or to why it can't be copied.
 * @throws AppError `store_unavailable`.
 */
export async function copyObject(
  { from, to }: Pick<Copying, 'from' | 'to'>,
  object: string,
): Promise<number | 'gone' | 'damaged'> {
  const size = await from.sizeOf(object)
  if (size === undefined) return 'gone'
  // The other store verifies it.
  const source = from.streamRaw(object)
  try {
    await to.write(object, { sha256: digestOf(object), size }, source)
    return size
  } catch (error) {
    if (error instanceof AppError && mismatches.includes(error.reason)) return 'damaged'
    if ((await from.sizeOf(object)) === undefined) return 'gone'
    throw error
  } finally {
    source.destroy()
  }
}

const mismatches: readonly string[] = ['digest_mismatch', 'size_mismatch', 'body_too_large']
