/** Tells all nodes of objects that are missing in their store, so that none believes to have seen them. */
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { within } from '../../lib/async/within.ts'
import { prepared } from '../db/prepared.ts'
import { installation } from '../db/schema/installation.ts'
import type { Store } from '../db/store.ts'
import type { BlobStore } from './blob-store.ts'

/** Other nodes would evict everything for more in one announcement. */
const perAnnouncement = 50

/** Reading a missing object again and again announces it once in this time. */
const quietMs = 60_000
const maxQuiet = 10_000

/** How long a read waits until all nodes may know what it has found. */
const maxWaitMs = 1_000

/** The announcements of objects that reads on any node have found missing. */
export type Losses = {
  /**
   * Announces an object that a read has found missing. Resolves once no node believes any more to have seen
   * it, or after a second; never rejects.
   */
  report(object: string): Promise<void>
  /** How many announcements there have been, by all nodes. */
  count(): Promise<number>
}

/** Announces that these objects are missing, and counts that. */
export async function announceLost(store: Pick<Store, 'transact'>, objects: string[]): Promise<void> {
  for (let at = 0; at < objects.length; at += perAnnouncement)
    await store.transact(async (tx) => {
      await tx.update(installation).set({ losses: sql`${installation.losses} + 1` })
      for (const id of objects.slice(at, at + perAnnouncement)) tx.announce({ kind: 'blob', id })
    })
}

const countQuery = prepared((db) =>
  db.select({ losses: installation.losses }).from(installation).prepare('blob_losses'),
)

/** The losses of an installation. */
export function createLosses(store: Pick<Store, 'transact' | 'lookUps'>): Losses {
  const announced = new LRUCache<string, Promise<void>>({ max: maxQuiet, ttl: quietMs })

  function announce(object: string): Promise<void> {
    const known = announced.get(object)
    if (known) return known
    // While the database is away, nothing can be deployed either.
    const announcing = announceLost(store, [object]).catch(() => void announced.delete(object))
    announced.set(object, announcing)
    return announcing
  }

  return {
    report: (object) => within(maxWaitMs, announce(object), () => {}),
    async count() {
      const [row] = await countQuery(store.lookUps).execute()
      return row?.losses ?? 0
    },
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
