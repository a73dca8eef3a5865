/** The site of each host, cached until it changes. */

import { isAtOrBelow } from '../../lib/names/domain-name.ts'
import { type CacheStats, createFreshCache } from '../../stores/cache/fresh-cache.ts'
import { staleWhileAway } from '../../stores/cache/stale-while-away.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import type { Store } from '../../stores/db/store.ts'
import { findSite, type Site } from './find-site.ts'

export type Sites = {
  /** The site if it is cached; its `value` is undefined for an unknown host. */
  peek(host: string): { value: Site | undefined } | undefined
  /** The last known site, possibly stale. */
  last(host: string): Site | undefined
  /**
   * While the database is away, the last known site.
   * @throws TooManyLoadsError when too many unknown hosts are requested.
   */
  get(host: string): Promise<Site | undefined>
  stats(): CacheStats
  stop(): void
}

/** Limits the effect of a lost notification. */
const maxAgeMs = 900
const maxHosts = 10_000

/** The most sites that are read anew at once because of one change. */
const maxReread = 20

/** Anybody can invent names: their lookups must not delay those of sites in use, and of API callers. */
const maxLoads = 200

/** Sites by host, evicted by notifications of changes. */
export function createSites(
  { lookUps, changes }: Pick<Store, 'lookUps' | 'changes'>,
  /** How long they are served while the database is away, in milliseconds. */
  maxStaleMs: number,
): Sites {
  const cache = createFreshCache<Site | undefined>({
    maxAgeMs,
    maxEntries: maxHosts,
    maxLoads,
    load: (host) => findSite(lookUps, host),
  })
  /**
   * Known sites are read anew right away: if the database goes away before the next visitor comes, it is too
   * late.
   */
  function readAnew(hosts: string[]): void {
    for (const host of hosts.slice(0, maxReread)) cache.get(host).catch(() => {})
  }

  function forget(host: string): void {
    const isKnown = cache.last(host)?.value !== undefined
    cache.forget(host)
    if (isKnown) readAnew([host])
  }

  function forgetWhere(test: (site: Site | undefined, host: string) => boolean): void {
    readAnew(cache.forgetWhere(test).flatMap(({ key, value }) => (value === undefined ? [] : [key])))
  }

  const forgetFiles = (key: 'projectId' | 'deploymentId', id: string) =>
    // An unknown host may have become the project's.
    forgetWhere((site) => site === undefined || (site.kind === 'files' && site[key] === id))
  const stop = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'host') forget(id)
      if (kind === 'domain') forgetWhere((_, host) => isAtOrBelow(host, id))
      if (kind === 'project') forgetFiles('projectId', id)
      if (kind === 'deployment') forgetFiles('deploymentId', id)
      if (kind === 'team') forgetWhere((site) => site?.teamId === id)
    },
    // Sites are read anew at once, unless the database is away again.
    missed: cache.expireAll,
  })
  return {
    peek: cache.peek,
    last: (host) => cache.last(host)?.value,
    get: staleWhileAway(cache, { maxStaleMs, isAway: isStoreAway }),
    stats: cache.stats,
    stop,
  }
}
