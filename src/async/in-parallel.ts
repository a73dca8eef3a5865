/** Does the same with many things, some of them at a time. */

/**
 * The results of `work` for each of `items`, in their order, at most `atATime` of them under way at once. The first failure
 * rejects, once what was under way then has ended; nothing new is begun after it.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  atATime: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const rest = [...items].entries()
  let failed = false
  async function workSome(): Promise<void> {
    for (const [index, item] of rest) {
      if (failed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: atATime }, workSome))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return results
}
