/** A cache of blobs recently seen by this node: most files of a deployment are those of the previous one. */
import { LRUCache } from 'lru-cache'
import type { KnownBlob } from './rows.ts'

export type KnownBlobs = {
  /** The blob as last seen; it may have been collected since, which is detected when it is used. */
  get(teamId: string, sha256: string): KnownBlob | undefined
  add(teamId: string, blob: KnownBlob): void
  forget(teamId: string, sha256: string): void
}

/** Some 20 MB. */
const maxBlobs = 50_000

/** The most recently used blobs of all teams. */
export function createKnownBlobs(): KnownBlobs {
  const cache = new LRUCache<string, KnownBlob>({ max: maxBlobs })
  // The team is part of the key: every team has blobs of its own.
  const keyOf = (teamId: string, sha256: string) => teamId + sha256
  return {
    get: (teamId, sha256) => cache.get(keyOf(teamId, sha256)),
    add: (teamId, blob) => void cache.set(keyOf(teamId, blob.sha256), blob),
    forget: (teamId, sha256) => void cache.delete(keyOf(teamId, sha256)),
  }
}
