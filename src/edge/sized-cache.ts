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

/** Whose a value is, and how much of the cache may be of one owner. */
type Owners<V> = { of(value: V): string; maxSize: number }

/**
 * A cache that drops what was used longest ago when the sum of `sizeOf` would exceed `maxSize`, and what was loaded longest
 * ago of one owner who has too much.
 */
export function createSizedCache<K extends string | number, V extends object>(
  sizeOf: (value: V) => number,
  maxSize: number,
  owners?: Owners<V>,
): SizedCache<K, V> {
  // Something larger than the whole cache has it to itself, rather than being loaded for every request.
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
        // Before others have to make room for it.
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

/** Keeps track of what each owner has. */
function createShares<K, V>({ of, maxSize }: Owners<V>, sizeOf: (value: V) => number) {
  const shares = new Map<string, Share<K>>()
  return {
    /** Yields what the owner of `value` has too much then, to be removed one by one. */
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
