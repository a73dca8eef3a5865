/** Group commit: calls during another one are batched. */

/**
 * Turns `run`, which handles a batch, into a function for one item. If a batch fails, each item is run alone,
 * so that none fails because of another.
 */
export function inGroups<T, R>(run: (items: T[]) => Promise<R>): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: Promise<R>) => void }
  let waiting: Waiting[] = []
  let running = false

  async function runGroups(): Promise<void> {
    running = true
    // Items of the same tick are batched, too.
    await null
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await runGroup(group)
    }
    running = false
  }

  async function runGroup(group: Waiting[]): Promise<void> {
    const together = run(group.map(({ item }) => item))
    const failed = await together.then(
      () => false,
      () => true,
    )
    for (const { item, resolve } of group) resolve(failed && group.length > 1 ? run([item]) : together)
  }

  return (item) =>
    new Promise<R>((resolve) => {
      waiting.push({ item, resolve })
      if (!running) runGroups()
    })
}
