/** Series of the caches. */
import type { CacheStats } from '../../../stores/cache/fresh-cache.ts'
import type { Series } from './series.ts'

/** `caches` by name. */
export function cacheSeries(caches: Record<string, () => CacheStats>): Series[] {
  const read = (pick: (stats: CacheStats) => number) => () =>
    Object.entries(caches).map(([cache, stats]) => ({ labels: { cache }, value: pick(stats()) }))
  return [
    {
      name: 'svc_cache_hits_total',
      help: 'Lookups answered from memory. cache: keys, jwts, sessions (of callers), sites (by host).',
      type: 'counter',
      labels: ['cache'],
      read: read(({ hits }) => hits),
    },
    {
      name: 'svc_cache_misses_total',
      help: 'Lookups that waited for the database.',
      type: 'counter',
      labels: ['cache'],
      read: read(({ misses }) => misses),
    },
    {
      name: 'svc_cache_entries',
      help: 'Cached entries.',
      type: 'gauge',
      labels: ['cache'],
      read: read(({ entries }) => entries),
    },
  ]
}
