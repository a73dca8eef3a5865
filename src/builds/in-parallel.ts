/** Does the same with many things, some at a time. */

/**
 * Resolves when `each` was done with all items, at most `limit` at a time. Rejects with the first failure, or when `signal`
 * aborts, once what was under way has ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  { limit, signal }: { limit: number; signal: AbortSignal },
  each: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let hasFailed = false

  async function work(): Promise<void> {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) {
      try {
        signal.throwIfAborted()
        await each(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: limit }, work))
  const failed = workers.find((worker) => worker.status === 'rejected')
  if (failed) throw failed.reason
}
