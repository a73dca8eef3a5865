/**
 * The manifests of deployments. They are immutable, so the most used ones are cached; while compression is
 * pending, they are reread now and then, and so when their project has changed: by then a file may be known
 * to change under a name that looked like a hash.
 */

import { LRUCache } from 'lru-cache'
import { createSizedCache } from '../../stores/cache/sized-cache.ts'
import type { Store } from '../../stores/db/store.ts'
import { createLargeManifest } from './large-manifest.ts'
import { loadLines, loadManifest } from './load-manifest.ts'
import { createManifest, type Manifest } from './manifest.ts'

/** Whose manifest it is. */
type Owner = { teamId: string; projectId: string }

export type Manifests = {
  /** The manifest if it is in memory, and its project hasn't changed since it was read. */
  peek(manifestId: number): Manifest | undefined
  /** If it can't be read again, one in memory whose project has changed. */
  get(manifestId: number, owner: Owner): Promise<Manifest>
  /** Reads it again, since its files may have become other objects; false if that was done a moment ago. */
  reread(manifestId: number, owner: Owner): Promise<boolean>
  stop(): void
}

/** Limits for all manifests, and for those of one team. */
const maxCachedBytes = 150_000_000
const maxTeamBytes = maxCachedBytes / 8

/** Larger ones are not cached, since parsing them blocks the event loop. */
const maxFiles = 2_000

/** A pending manifest is reread after half a second of use, then after twice as long, up to this. */
const firstLookMs = 500
const maxLookMs = 60_000

/** Visitors of a lost file cause no more reads than one in this time, nor do those of what can't be read. */
const minRereadMs = 250

/** Changes of this many projects are remembered. */
const maxProjects = 10_000

/**
 * A cached manifest; if it is pending, it is reread `lookMs` after `loadedMs`. It was read after `changes` of
 * all projects, and isn't reread for a later one before `retryMs`.
 */
type Held = {
  manifest: Manifest
  owner: Owner
  loadedMs: number
  lookMs: number
  changes: number
  retryMs: number
}

type Options = {
  /** A monotonic clock in milliseconds. */
  now?: () => number
  /** The part of the limits that this process may use. */
  share?: number | undefined
}

/** Manifests by id, from memory or in one query. */
export function createManifests(
  { db, changes }: Pick<Store, 'db' | 'changes'>,
  { now = () => performance.now(), share = 1 }: Options = {},
): Manifests {
  const maxBytes = Math.floor(maxCachedBytes * share)
  const cache = createSizedCache<number, Held>(({ manifest }) => manifest.size, maxBytes, {
    of: ({ owner }) => owner.teamId,
    maxSize: maxTeamBytes * share,
  })

  /** Counts changes of all projects; the latest of each, and the latest that may have been of any. */
  let count = 0
  let countMissed = 0
  const latest = new LRUCache<string, number>({ max: maxProjects })
  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'project') latest.set(id, ++count)
    },
    missed() {
      countMissed = ++count
    },
  })

  function isOutdated({ owner, changes, retryMs }: Held): boolean {
    if (changes === count) return false
    return changes < Math.max(countMissed, latest.get(owner.projectId) ?? 0) && now() >= retryMs
  }

  async function load(manifestId: number, owner: Owner, lookMs: number): Promise<Held> {
    const changes = count
    const rows = await loadManifest(db, { manifestId, projectId: owner.projectId }, maxFiles + 1)
    const manifest =
      rows.files.length > maxFiles
        ? createLargeManifest((paths) => loadLines(db, manifestId, paths), rows, now)
        : createManifest(rows.files, rows.rules, rows.names)
    return { manifest, owner, loadedMs: now(), lookMs, changes, retryMs: 0 }
  }

  async function renew(manifestId: number, held: Held): Promise<Held> {
    try {
      return await cache.renew(manifestId, () => load(manifestId, held.owner, held.lookMs))
    } catch {
      return Object.assign(held, { retryMs: now() + minRereadMs })
    }
  }

  function lookAgain(manifestId: number, held: Held): void {
    if (now() - held.loadedMs < held.lookMs) return
    const lookMs = Math.min(held.lookMs * 2, maxLookMs)
    // The cached one is used until then, also while the database is unavailable.
    Object.assign(held, { loadedMs: now(), lookMs })
    cache.renew(manifestId, () => load(manifestId, held.owner, lookMs)).catch(() => {})
  }

  function use(manifestId: number, held: Held | undefined): Manifest | undefined {
    if (held?.manifest.isPending) lookAgain(manifestId, held)
    return held?.manifest
  }

  return {
    peek(manifestId) {
      const held = cache.peek(manifestId)
      return held && isOutdated(held) ? undefined : use(manifestId, held)
    },
    async get(manifestId, owner) {
      const known = await cache.get(manifestId, () => load(manifestId, owner, firstLookMs))
      const held = isOutdated(known) ? await renew(manifestId, known) : known
      return use(manifestId, held) ?? held.manifest
    },
    async reread(manifestId, owner) {
      const held = cache.peek(manifestId)
      if (held && now() - held.loadedMs < minRereadMs) return false
      await cache.renew(manifestId, () => load(manifestId, owner, held?.lookMs ?? firstLookMs))
      return true
    },
    stop,
  }
}
