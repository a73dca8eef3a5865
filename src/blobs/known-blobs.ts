/** Blobs that this node has just seen in use: of a site's thousand files most are those of its last deployment. */
import { LRUCache } from 'lru-cache'
import type { KnownBlob } from './rows.ts'

export type KnownBlobs = {
  /** What was known when it was last in use; it may have been collected since, which is found when it is used. */
  get(teamId: string, sha256: string): KnownBlob | undefined
  add(teamId: string, blob: KnownBlob): void
  forget(teamId: string, sha256: string): void
}

/** Some 20 MB. */
const maxBlobs = 50_000

/** Those of the node that have been in use last, of all its teams. */
export function createKnownBlobs(): KnownBlobs {
  const cache = new LRUCache<string, KnownBlob>({ max: maxBlobs })
  // A digest alone opens nothing: every team has blobs of its own.
  const keyOf = (teamId: string, sha256: string) => teamId + sha256
  return {
    get: (teamId, sha256) => cache.get(keyOf(teamId, sha256)),
    add: (teamId, blob) => void cache.set(keyOf(teamId, blob.sha256), blob),
    forget: (teamId, sha256) => void cache.delete(keyOf(teamId, sha256)),
  }
}
