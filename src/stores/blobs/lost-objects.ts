/** Tells all nodes of objects that are missing in their store, so that none believes to have seen them. */
import { LRUCache } from 'lru-cache'
import type { Store } from '../db/store.ts'
import type { BlobStore } from './blob-store.ts'

/** Other nodes would evict everything for more in one announcement. */
const perAnnouncement = 50

/** Reading a missing object again and again announces it once in this time. */
const quietMs = 60_000
const maxQuiet = 10_000

/** Announces that these objects are missing. */
export async function announceLost(store: Pick<Store, 'transact'>, objects: string[]): Promise<void> {
  for (let at = 0; at < objects.length; at += perAnnouncement)
    await store.transact(async (tx) => {
      for (const id of objects.slice(at, at + perAnnouncement)) tx.announce({ kind: 'blob', id })
    })
}

/** A function that announces an object that a read has found missing, and never fails. */
export function createLossReport(store: Pick<Store, 'transact'>): (object: string) => void {
  const announced = new LRUCache<string, true>({ max: maxQuiet, ttl: quietMs })
  return (object) => {
    if (announced.has(object)) return
    announced.set(object, true)
    // While the database is away, nothing can be deployed either.
    announceLost(store, [object]).catch(() => announced.delete(object))
  }
}

/**
 * Lets `blobs` forget what is announced, by this node or others, until the function that it returns is
 * called.
 */
export function forgetLost({ changes }: Pick<Store, 'changes'>, blobs: BlobStore): () => void {
  return changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'blob') blobs.forget(id)
    },
    missed: () => blobs.forget(),
  })
}
