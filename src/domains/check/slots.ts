/** How many pieces of work may be under way at once. */

/** Runs what it is given, at most `count` of them at a time, in the order in which they came. */
export function createSlots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot is handed on, so that nobody takes it in between.
      if (next) next()
      else free += 1
    }
  }
}
