/** Work of which, for each key, one piece is done at a time, and only so much waits. */
import pLimit, { type LimitFunction } from 'p-limit'

/** Does `work` once what came before it for the same key has ended; @throws what `refuse` makes where too many wait already. */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** For each key at most `maxWaiting` wait besides the one that is done. */
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
