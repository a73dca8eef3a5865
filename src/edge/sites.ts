/** The site of each host, cached until it changes. */

import { type CacheStats, createFreshCache } from '../cache/fresh-cache.ts'
import type { Store } from '../db/store.ts'
import { isAtOrBelow } from '../names/domain-name.ts'
import { findSite, type Site } from './find-site.ts'

export type Sites = {
  /** The site if it is cached; its `value` is undefined for an unknown host. */
  peek(host: string): { value: Site | undefined } | undefined
  /** The last known site, possibly stale. */
  last(host: string): Site | undefined
  /** @throws TooManyLoadsError when too many unknown hosts are requested. */
  get(host: string): Promise<Site | undefined>
  stats(): CacheStats
  stop(): void
}

/** Limits the effect of a lost notification. */
const maxAgeMs = 900
const maxHosts = 10_000

/** Anybody can invent names: their lookups must not delay those of sites in use, and of API callers. */
const maxLoads = 200

/** Sites by host, evicted by notifications of changes. */
export function createSites({ lookUps, changes }: Pick<Store, 'lookUps' | 'changes'>): Sites {
  const cache = createFreshCache<Site | undefined>({
    maxAgeMs,
    maxEntries: maxHosts,
    maxLoads,
    load: (host) => findSite(lookUps, host),
  })
  const forgetFiles = (key: 'projectId' | 'deploymentId', id: string) =>
    // An unknown host may have become the project's.
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
