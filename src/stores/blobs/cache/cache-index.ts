/** Knows the files of a cache, and evicts the least recently used ones beyond its size. */
import { opendir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { makeDirectory } from '../../../lib/make-directory.ts'

/** The part of it that a process needs, also another process than its own. */
export type CacheIndex = {
  /**
   * Whether the object's file may be there, and so whole or not: files are not synced. Any may be, as long as
   * those from before the start are counted. Also counts as a use of the object.
   */
  has(object: string): boolean | Promise<boolean>
  /** The object's file is there, with so many bytes. */
  put(object: string, size: number): void
  /** Deletes the object's file, if it is known. */
  drop(object: string): void
  close(): Promise<void>
}

export type OwnCacheIndex = CacheIndex & {
  /** Resolves when the files from before the start are counted. */
  readonly counted: Promise<void>
}

/** The least bytes that a file counts, since its entry in memory has a size too. */
const minCharge = 32 * 1024

/** An object's file, in bytes. */
type Entry = { size: number }

/** In the directory of a cache: what is on its way, and what is there. */
export function foldersOf(directory: string): { incoming: string; objects: string } {
  return { incoming: join(directory, 'incoming'), objects: join(directory, 'objects') }
}

/**
 * The index of the cache in `directory`, which holds at most `maxBytes`; only one process may have it. Begins
 * to count the files that are there.
 */
export async function openCacheIndex(directory: string, maxBytes: number): Promise<OwnCacheIndex> {
  const { incoming, objects } = foldersOf(directory)
  await rm(incoming, { recursive: true, force: true })
  for (const path of [incoming, objects]) await makeDirectory(path)
  const pathOf = (object: string) => join(objects, object)
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => Math.min(Math.max(size, minCharge), maxBytes),
    dispose: (_, object, reason) => {
      if (reason !== 'set') unlink(pathOf(object)).catch(() => {})
    },
  })
  let isClosed = false
  let isCounted = false
  const counted = count().finally(() => {
    isCounted = true
  })

  /** Adds the files from before the start, the newest last. */
  async function count(): Promise<void> {
    const found: { object: string; size: number; mtimeMs: number }[] = []
    for await (const team of await opendir(objects)) {
      for await (const { name } of await opendir(join(objects, team.name))) {
        if (isClosed) return
        const object = `${team.name}/${name}`
        const { size, mtimeMs } = await stat(pathOf(object)).catch(() => ({ size: 0, mtimeMs: 0 }))
        found.push({ object, size, mtimeMs })
      }
    }
    for (const { object, size } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs))
      if (!entries.has(object)) entries.set(object, { size })
  }

  return {
    has: (object) => entries.get(object) !== undefined || !isCounted,
    put: (object, size) => void entries.set(object, { size }),
    drop: (object) => void entries.delete(object),
    counted,
    async close() {
      isClosed = true
      await counted.catch(() => {})
    },
  }
}
