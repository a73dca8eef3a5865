/**
 * The manifests of deployments. They are immutable, so the most used ones are cached; while compression is pending, they
 * are reread now and then.
 */

import { createSizedCache } from '../cache/sized-cache.ts'
import type { Database } from '../db/database.ts'
import { createLargeManifest } from './large-manifest.ts'
import { loadLines, loadManifest } from './load-manifest.ts'
import { createManifest, type Manifest } from './manifest.ts'

export type Manifests = {
  /** The manifest if it is in memory. */
  peek(manifestId: number): Manifest | undefined
  get(manifestId: number, teamId: string): Promise<Manifest>
  /** Reads it again, since its files may have become other objects; false if that was done a moment ago. */
  reread(manifestId: number, teamId: string): Promise<boolean>
}

/** Limits for all manifests, and for those of one team. */
const maxCachedBytes = 150_000_000
const maxTeamBytes = maxCachedBytes / 8

/** Larger ones are not cached, since parsing them blocks the event loop. */
const maxFiles = 2_000

/** A pending manifest is reread after half a second of use, then after twice as long, up to this. */
const firstLookMs = 500
const maxLookMs = 60_000

/** Visitors of a lost file cause no more reads than one in this time. */
const minRereadMs = 250

/** A cached manifest; if it is pending, it is reread `lookMs` after `loadedMs`. */
type Held = { manifest: Manifest; teamId: string; loadedMs: number; lookMs: number }

type Options = {
  /** A monotonic clock in milliseconds. */
  now?: () => number
  /** The part of the limits that this process may use. */
  share?: number | undefined
}

/** Manifests by id, from memory or in one query. */
export function createManifests(
  db: Database,
  { now = () => performance.now(), share = 1 }: Options = {},
): Manifests {
  const maxBytes = Math.floor(maxCachedBytes * share)
  const cache = createSizedCache<number, Held>(({ manifest }) => manifest.size, maxBytes, {
    of: ({ teamId }) => teamId,
    maxSize: maxTeamBytes * share,
  })

  async function load(manifestId: number, teamId: string, lookMs: number): Promise<Held> {
    const { files, rules } = await loadManifest(db, manifestId, maxFiles + 1)
    const manifest =
      files.length > maxFiles
        ? createLargeManifest((paths) => loadLines(db, manifestId, paths), rules, now)
        : createManifest(files, rules)
    return { manifest, teamId, loadedMs: now(), lookMs }
  }

  function lookAgain(manifestId: number, held: Held): void {
    if (now() - held.loadedMs < held.lookMs) return
    const lookMs = Math.min(held.lookMs * 2, maxLookMs)
    // The cached one is used until then, also while the database is unavailable.
    Object.assign(held, { loadedMs: now(), lookMs })
    cache.renew(manifestId, () => load(manifestId, held.teamId, lookMs)).catch(() => {})
  }

  function use(manifestId: number, held: Held | undefined): Manifest | undefined {
    if (held?.manifest.isPending) lookAgain(manifestId, held)
    return held?.manifest
  }

  return {
    peek: (manifestId) => use(manifestId, cache.peek(manifestId)),
    async get(manifestId, teamId) {
      const held = await cache.get(manifestId, () => load(manifestId, teamId, firstLookMs))
      return use(manifestId, held) ?? held.manifest
    },
    async reread(manifestId, teamId) {
      const held = cache.peek(manifestId)
      if (held && now() - held.loadedMs < minRereadMs) return false
      await cache.renew(manifestId, () => load(manifestId, teamId, held?.lookMs ?? firstLookMs))
      return true
    },
  }
}
