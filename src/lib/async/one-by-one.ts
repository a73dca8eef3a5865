/** Runs work serially per key, with a bounded queue. */
import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Runs `work` once earlier work for the same key has settled;
 * @throws the error of `refuse` if the queue is full.
 */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** At most `maxWaiting` queue per key, besides the one that runs. */
export function oneByOne(maxWaiting: number, refuse: () => Error): OneByOne {
  const lines = new Map<string, LimitFunction>()
  return async (key, work) => {
    const line = lines.get(key) ?? pLimit(1)
    if (line.pendingCount >= maxWaiting) throw refuse()
    lines.set(key, line)
    try {
      return await line(work)
    } finally {
      if (line.activeCount === 0) lines.delete(key)
    }
  }
}
