/** Work of which, for each key, one piece is done at a time, and only so much waits. */

/** Does `work` once what came before it for the same key has ended; @throws what `refuse` makes where too many wait already. */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** For each key at most `maxWaiting` wait besides the one that is done. */
export function oneByOne(maxWaiting: number, refuse: () => Error): OneByOne {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { length: 0, last: Promise.resolve() }
    if (line.length > maxWaiting) throw refuse()
    line.length += 1
    lines.set(key, line)
    const done = line.last.then(work)
    // Whoever comes next is not concerned by a failure.
    line.last = done.catch(() => {})
    try {
      return await done
    } finally {
      line.length -= 1
      if (line.length === 0) lines.delete(key)
    }
  }
}
