/**
 * The manifests of deployments. They never change, so the most used ones are kept; only compressed forms turn up for a
 * while, and so long each is read again now and then.
 */
import type { Database } from '../db/open.ts'
import { loadManifest } from './load-manifest.ts'
import type { Manifest } from './manifest.ts'
import { createSizedCache } from './sized-cache.ts'

export type Manifests = {
  /** The manifest if it is in memory. */
  peek(manifestId: number): Manifest | undefined
  get(manifestId: number): Promise<Manifest>
}

/** Some 150 MB when all of it is in use. */
const maxCachedFiles = 500_000

/** A manifest that is pending is read again after half a second of use, then after twice as long, up to this. */
const firstLookMs = 500
const maxLookMs = 60_000

/** A manifest in memory; `lookMs` after `loadedMs` it is read again if it is pending. */
type Held = { manifest: Manifest; loadedMs: number; lookMs: number }

/** Manifests by id, from memory or in one query; `now` is a clock in milliseconds that never jumps. */
export function createManifests(db: Database, now = () => performance.now()): Manifests {
  const cache = createSizedCache<number, Held>(({ manifest }) => manifest.size, maxCachedFiles)

  async function load(manifestId: number, lookMs: number): Promise<Held> {
    return { manifest: await loadManifest(db, manifestId), loadedMs: now(), lookMs }
  }

  function lookAgain(manifestId: number, held: Held): void {
    if (now() - held.loadedMs < held.lookMs) return
    const lookMs = Math.min(held.lookMs * 2, maxLookMs)
    // What is there will do until then, also when the database is away.
    Object.assign(held, { loadedMs: now(), lookMs })
    cache.renew(manifestId, () => load(manifestId, lookMs)).catch(() => {})
  }

  function use(manifestId: number, held: Held | undefined): Manifest | undefined {
    if (held?.manifest.isPending) lookAgain(manifestId, held)
    return held?.manifest
  }

  return {
    peek: (manifestId) => use(manifestId, cache.peek(manifestId)),
    async get(manifestId) {
      const held = await cache.get(manifestId, () => load(manifestId, firstLookMs))
      return use(manifestId, held) ?? held.manifest
    },
  }
}
