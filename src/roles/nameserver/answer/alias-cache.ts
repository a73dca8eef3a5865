/** Caches addresses for their TTL, and longer while resolvers fail. */
import { LRUCache } from 'lru-cache'
import type { Addresses, Resolve } from './resolve.ts'

/** RFC 8767: stale answers are better than none, for a day. */
const staleMs = 86_400_000
const staleTtl = 30

/** After a failure stale answers are used this long before the next attempt. */
const retryMs = 5_000

const maxNames = 20_000
const maxUnderWay = 500

type Entry = { addresses: Addresses; untilMs: number; staleUntilMs: number }

/** `resolve` with a cache. */
export function remembering({ resolve }: Resolve, now: () => number): Resolve['resolve'] {
  const entries = new LRUCache<string, Entry>({ max: maxNames })
  const underWay = new Map<string, Promise<Addresses>>()

  async function renew(key: string, name: string, type: number): Promise<Addresses> {
    const known = entries.get(key)
    try {
      if (underWay.size >= maxUnderWay) throw new Error('Too many concurrent lookups.')
      const addresses = await resolve(name, type)
      const untilMs = now() + Math.max(1, addresses.ttl) * 1_000
      entries.set(key, { addresses, untilMs, staleUntilMs: untilMs + staleMs })
      return addresses
    } catch (error) {
      if (!known || now() > known.staleUntilMs) throw error
      known.untilMs = now() + retryMs
      known.addresses = { ...known.addresses, ttl: staleTtl }
      return known.addresses
    }
  }

  return (name, type) => {
    const key = `${type} ${name}`
    const known = entries.get(key)
    if (known && now() < known.untilMs) return Promise.resolve(known.addresses)
    const running = underWay.get(key)
    if (running) return running
    const mine = renew(key, name, type).finally(() => underWay.delete(key))
    underWay.set(key, mine)
    return mine
  }
}
