/** A remote blob store whose objects are read through a cache on disk. */
import type { BlobStore } from '../blob-store.ts'
import { readLazily } from '../read-lazily.ts'
import type { DiskCache } from './disk-cache.ts'

/** `store`, reading through `cache`. */
export function readThrough(store: BlobStore, cache: DiskCache): BlobStore {
  return {
    ...store,
    read: cache.readWhole,
    stream: (object, part) => readLazily(cache.read(object, part)),
    async remove(object) {
      cache.forget(object)
      await store.remove(object)
    },
  }
}
