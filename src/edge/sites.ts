/** What each host stands for right now: one row, cached until it changes. */

import { type CacheStats, createFreshCache } from '../cache/fresh-cache.ts'
import type { Store } from '../db/store.ts'
import { isAtOrBelow } from '../names/domain-name.ts'
import { findSite, type Site } from './find-site.ts'

export type Sites = {
  /** The site if no query is needed to know it; its `value` is undefined for a host that nobody has. */
  peek(host: string): { value: Site | undefined } | undefined
  /** The site as it was last known, which may be another one by now. */
  last(host: string): Site | undefined
  /** @throws TooManyLoadsError when too many hosts are being asked for that nobody has asked for before. */
  get(host: string): Promise<Site | undefined>
  stats(): CacheStats
  stop(): void
}

/** A lost notification must not matter for more than a second. */
const maxAgeMs = 900
const maxHosts = 10_000

/** Anybody can make names up: their look-ups must not queue up before those of sites in use, and of callers of the API. */
const maxLoads = 200

/** Sites by host, never older than what this node has been told of. */
export function createSites({ lookUps, changes }: Pick<Store, 'lookUps' | 'changes'>): Sites {
  const cache = createFreshCache<Site | undefined>({
    maxAgeMs,
    maxEntries: maxHosts,
    maxLoads,
    load: (host) => findSite(lookUps, host),
  })
  const forgetFiles = (key: 'projectId' | 'deploymentId', id: string) =>
    // A host that nobody had may have become the project's.
    cache.forgetWhere((site) => site === undefined || (site.kind === 'files' && site[key] === id))
  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'host') cache.forget(id)
      if (kind === 'domain') cache.forgetWhere((_, host) => isAtOrBelow(host, id))
      if (kind === 'project') forgetFiles('projectId', id)
      if (kind === 'deployment') forgetFiles('deploymentId', id)
    },
    missed: cache.forgetAll,
  })
  return { peek: cache.peek, last: cache.last, get: cache.get, stats: cache.stats, stop }
}
