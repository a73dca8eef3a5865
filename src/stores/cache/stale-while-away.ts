/** Reads through a cache of facts that go on being used while the store that has them is away. */
import { within } from '../../lib/async/within.ts'
import { AppError } from '../../lib/errors.ts'
import { type FreshCache, TooManyLoadsError } from './fresh-cache.ts'

type Options = {
  /** How old a fact may be then, in milliseconds; 0: nothing stale is used. */
  maxStaleMs: number
  /** Whether an error means that the store is away. */
  isAway: (error: unknown) => boolean
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** How long the store may take to respond before it counts as away. */
const patienceMs = 1_000

/** How long a fact that isn't known is waited for. */
const timeoutMs = 10_000

/** How often it is tried then. */
const tryEveryMs = 250

/**
 * `cache.get`, but for a fact that is known, what was last loaded while the store fails or does not respond.
 * Forgotten facts are never used again.
 * @throws as `cache.get` does, and AppError `store_unavailable` after ten seconds.
 */
export function staleWhileAway<V>(
  cache: Pick<FreshCache<V>, 'get' | 'last'>,
  { maxStaleMs, isAway, now = () => performance.now() }: Options,
): (key: string) => Promise<V> {
  let isStoreAway = false
  let triedMs = Number.NEGATIVE_INFINITY

  const usable = (key: string) => {
    const known = cache.last(key)
    return known && now() - known.loadedMs <= maxStaleMs ? known : undefined
  }

  async function load(key: string): Promise<V> {
    try {
      const value = await within(timeoutMs, cache.get(key), () => {
        throw new AppError('store_unavailable', 'The database does not respond. Try again in a moment.')
      })
      isStoreAway = false
      return value
    } catch (error) {
      if (isAway(error) && !(error instanceof TooManyLoadsError)) isStoreAway = true
      throw error
    }
  }

  async function loadOrLast(key: string): Promise<V> {
    const loading = load(key)
    try {
      return await within(patienceMs, loading, () => {
        isStoreAway = true
        return usable(key)?.value ?? loading
      })
    } catch (error) {
      const known = isAway(error) ? usable(key) : undefined
      if (!known) throw error
      return known.value
    }
  }

  return async (key) => {
    const known = usable(key)
    if (!known) return load(key)
    if (!isStoreAway) return loadOrLast(key)
    if (now() - triedMs >= tryEveryMs) {
      triedMs = now()
      load(key).catch(() => {})
    }
    return known.value
  }
}
