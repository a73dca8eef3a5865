/** A remote blob store whose objects are read through a cache on disk. */
import { Readable } from 'node:stream'
import type { BlobStore } from '../blob-store.ts'
import type { DiskCache } from './disk-cache.ts'

/** `store`, reading through `cache`. */
export function readThrough(store: BlobStore, cache: DiskCache): BlobStore {
  return {
    ...store,
    read: cache.readWhole,
    stream: (object, part) => Readable.from(cache.read(object, part)),
    async remove(object) {
      cache.forget(object)
      await store.remove(object)
    },
  }
}
