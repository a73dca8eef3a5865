/**
 * A cache of what hardly ever changes, bounded by size; those who want the same thing at the same time share one
 * load.
 */
import { LRUCache } from 'lru-cache'

export type SizedCache<K, V> = {
  peek(key: K): V | undefined
  /** The value, from `load` when it isn't there. Rejects as `load` does, and then keeps nothing. */
  get(key: K, load: () => Promise<V>): Promise<V>
  /** Loads the value although it may be there; what is there is used until the new one takes its place. */
  renew(key: K, load: () => Promise<V>): Promise<V>
}

/** A cache that drops what was used longest ago when the sum of `sizeOf` would exceed `maxSize`. */
export function createSizedCache<K extends string | number, V extends object>(
  sizeOf: (value: V) => number,
  maxSize: number,
): SizedCache<K, V> {
  const values = new LRUCache<K, V>({
    maxSize,
    // Something larger than the whole cache has it to itself, rather than being loaded for every request.
    sizeCalculation: (value) => Math.min(Math.max(1, sizeOf(value)), maxSize),
  })
  const loads = new Map<K, Promise<V>>()

  async function start(key: K, load: () => Promise<V>): Promise<V> {
    try {
      const value = await load()
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
