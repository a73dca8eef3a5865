/** How well what is kept in memory saves asking the database. */
import type { CacheStats } from '../../cache/fresh-cache.ts'
import type { Series } from './series.ts'

/** `caches` by name. */
export function cacheSeries(caches: Record<string, () => CacheStats>): Series[] {
  const read = (pick: (stats: CacheStats) => number) => () =>
    Object.entries(caches).map(([cache, stats]) => ({ labels: { cache }, value: pick(stats()) }))
  return [
    {
      name: 'svc_cache_hits_total',
      help: 'Look-ups answered from memory. cache: keys, jwts, sessions (of callers), sites (by host).',
      type: 'counter',
      labels: ['cache'],
      read: read(({ hits }) => hits),
    },
    {
      name: 'svc_cache_misses_total',
      help: 'Look-ups that had to wait for the database.',
      type: 'counter',
      labels: ['cache'],
      read: read(({ misses }) => misses),
    },
    {
      name: 'svc_cache_entries',
      help: 'What is kept at present.',
      type: 'gauge',
      labels: ['cache'],
      read: read(({ entries }) => entries),
    },
  ]
}
