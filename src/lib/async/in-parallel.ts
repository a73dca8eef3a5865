/** Runs async work with limited concurrency. */
import pLimit from 'p-limit'

/**
 * The results of `work` for each of `items`, in their order, at most `atATime` at once. Rejects with the
 * first failure once running work has settled; nothing new is started after it.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  atATime: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit({ concurrency: atATime, rejectOnClear: true })
  const all = Array.from(items, (item) =>
    limit(async () => {
      try {
        return await work(item)
      } catch (error) {
        limit.clearQueue()
        throw error
      }
    }),
  )
  // Unlike the map of p-limit and p-map, which reject while the rest still runs.
  await Promise.allSettled(all)
  return Promise.all(all)
}
