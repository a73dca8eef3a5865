/**
 * A cache for immutable values, bounded by size; concurrent callers share one load.
 */
import { LRUCache } from 'lru-cache'

export type SizedCache<K, V> = {
  peek(key: K): V | undefined
  /** The value, from `load` on a miss. Rejects as `load` does, which caches nothing. */
  get(key: K, load: () => Promise<V>): Promise<V>
  /** Reloads the value; a cached one is used until then. */
  renew(key: K, load: () => Promise<V>): Promise<V>
}

/** The owner of a value, and the share of the cache for one owner. */
type Owners<V> = { of(value: V): string; maxSize: number }

/**
 * Evicts the least recently used when the sum of `sizeOf` exceeds `maxSize`, and the oldest of an owner over
 * its share.
 */
export function createSizedCache<K extends string | number, V extends object>(
  sizeOf: (value: V) => number,
  maxSize: number,
  owners?: Owners<V>,
): SizedCache<K, V> {
  // A value larger than the whole cache replaces everything, rather than being loaded for every request.
  const boundedSize = (value: V) => Math.min(Math.max(1, sizeOf(value)), maxSize)
  const shares = owners && createShares<K, V>(owners, boundedSize)
  const values = new LRUCache<K, V>({
    maxSize,
    sizeCalculation: boundedSize,
    ...(shares && { dispose: (value, key) => shares.remove(key, value) }),
  })
  const loads = new Map<K, Promise<V>>()

  async function start(key: K, load: () => Promise<V>): Promise<V> {
    try {
      const value = await load()
      if (shares) {
        values.delete(key)
        // Before values of others are evicted.
        for (const surplus of shares.surplus(value)) values.delete(surplus)
        shares.add(key, value)
      }
      values.set(key, value)
      return value
    } finally {
      loads.delete(key)
    }
  }

  function renew(key: K, load: () => Promise<V>): Promise<V> {
    const running = loads.get(key) ?? start(key, load)
    loads.set(key, running)
    return running
  }

  return {
    peek: (key) => values.get(key),
    get: async (key, load) => values.get(key) ?? renew(key, load),
    renew,
  }
}

type Share<K> = { size: number; keys: Set<K> }

/** Tracks the values of each owner. */
function createShares<K, V>({ of, maxSize }: Owners<V>, sizeOf: (value: V) => number) {
  const shares = new Map<string, Share<K>>()
  return {
    /** Yields the values by which the owner of `value` exceeds its share, to be evicted one by one. */
    *surplus(value: V): Generator<K> {
      const share = shares.get(of(value))
      if (!share) return
      for (const key of share.keys) {
        if (share.size + sizeOf(value) <= maxSize) return
        yield key
      }
    },
    add(key: K, value: V): void {
      const owner = of(value)
      const share = shares.get(owner) ?? { size: 0, keys: new Set() }
      shares.set(owner, share)
      share.size += sizeOf(value)
      share.keys.add(key)
    },
    remove(key: K, value: V): void {
      const owner = of(value)
      const share = shares.get(owner)
      if (!share?.keys.delete(key)) return
      share.size -= sizeOf(value)
      if (share.keys.size === 0) shares.delete(owner)
    },
  }
}
