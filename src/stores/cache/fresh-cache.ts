/**
 * A bounded cache of facts that other nodes may change: values expire `maxAgeMs` after they were requested,
 * entries in use are refreshed in the background, and `forget` takes effect at once.
 */
import { LRUCache } from 'lru-cache'
import { AppError } from '../../lib/errors.ts'

/** Too many concurrent loads: nothing has failed, so this needs no log line. */
export class TooManyLoadsError extends AppError {
  constructor() {
    super('store_unavailable', 'Too many lookups at once. Try again in a moment.')
  }
}

/** Cache hits, misses, and the size. */
export type CacheStats = { hits: number; misses: number; entries: number }

type Entry<V> = { value: V; loadedMs: number; refreshing: boolean; isExpired: boolean }

export type FreshCache<V> = {
  /** The value if it is fresh. */
  peek(key: string): { value: V } | undefined
  /** The last loaded value, possibly stale, and when it was requested; undefined if there is none. */
  last(key: string): { value: V; loadedMs: number } | undefined
  /**
   * The value, loaded if need be; concurrent callers share one load. Rejects as the loader does, and with
   * TooManyLoadsError when `maxLoads` are running.
   */
  get(key: string): Promise<V>
  forget(key: string): void
  /** Returns what was forgotten. */
  forgetWhere(test: (value: V, key: string) => boolean): { key: string; value: V }[]
  forgetAll(): void
  /** Makes all values stale. */
  expireAll(): void
  stats(): CacheStats
}

type Options<V> = {
  load: (key: string) => Promise<V>
  maxAgeMs: number
  /** Beside them, a tenth as many keys are remembered as those of nothing: whose value is undefined. */
  maxEntries: number
  /** With this many loads running, only existing entries are refreshed. */
  maxLoads?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

export function createFreshCache<V>({
  load,
  maxAgeMs,
  maxEntries,
  maxLoads = Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: Options<V>): FreshCache<V> {
  const known = new LRUCache<string, Entry<V>>({ max: maxEntries })
  // Anybody can ask for what doesn't exist, which must not push out what does.
  const unknown = new LRUCache<string, Entry<V>>({ max: Math.ceil(maxEntries / 10) })
  const loads = new Map<string, { promise: Promise<V>; startedMs: number }>()
  // A load that began before an eviction may return the old fact: it is used once but not cached.
  let generation = 0
  // Including those whose result is not cached.
  let loading = 0
  let hits = 0
  let misses = 0

  const peekAt = (key: string) => known.peek(key) ?? unknown.peek(key)

  function keep(key: string, entry: Entry<V>): void {
    const [cache, other] = entry.value === undefined ? [unknown, known] : [known, unknown]
    other.delete(key)
    cache.set(key, entry)
  }

  function start(key: string): Promise<V> {
    const startedMs = now()
    const running = loads.get(key)
    // The result of a slow load may already be stale.
    if (running && startedMs - running.startedMs <= maxAgeMs) return running.promise
    const startedGeneration = generation
    const mine = { promise: load(key), startedMs }
    loads.set(key, mine)
    loading += 1
    const ended = (): void => {
      loading -= 1
      if (loads.get(key) === mine) loads.delete(key)
    }
    mine.promise.then((value) => {
      ended()
      const isNewest = (peekAt(key)?.loadedMs ?? startedMs) <= startedMs
      if (generation === startedGeneration && isNewest) {
        keep(key, { value, loadedMs: startedMs, refreshing: false, isExpired: false })
      }
    }, ended)
    return mine.promise
  }

  function fresh(key: string): Entry<V> | undefined {
    const entry = known.get(key) ?? unknown.get(key)
    if (!entry) return undefined
    const age = now() - entry.loadedMs
    if (age > maxAgeMs || entry.isExpired) return undefined
    if (age > maxAgeMs / 2 && !entry.refreshing) {
      entry.refreshing = true
      start(key).catch(() => {
        entry.refreshing = false
      })
    }
    hits += 1
    return entry
  }

  function changed(): void {
    generation += 1
    loads.clear()
  }

  return {
    peek: fresh,
    last: peekAt,
    async get(key) {
      const entry = fresh(key)
      if (entry) return entry.value
      misses += 1
      const isInUse = loads.has(key) || known.has(key)
      if (loading >= maxLoads && !isInUse) throw new TooManyLoadsError()
      return start(key)
    },
    forget(key) {
      changed()
      known.delete(key)
      unknown.delete(key)
    },
    forgetWhere(test) {
      changed()
      const forgotten: { key: string; value: V }[] = []
      for (const cache of [known, unknown]) {
        for (const [key, { value }] of cache.entries()) if (test(value, key)) forgotten.push({ key, value })
      }
      for (const { key } of forgotten) {
        known.delete(key)
        unknown.delete(key)
      }
      return forgotten
    },
    forgetAll() {
      changed()
      known.clear()
      unknown.clear()
    },
    expireAll() {
      changed()
      for (const cache of [known, unknown]) for (const entry of cache.values()) entry.isExpired = true
    },
    stats: () => ({ hits, misses, entries: known.size + unknown.size }),
  }
}
