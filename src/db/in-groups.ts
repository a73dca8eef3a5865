/** Group commit: calls that come while another is under way wait for it, and are then done together. */

/**
 * Turns `run`, which does many things in one go, into a function for one of them at a time. Should a group fail, each
 * of its members is run alone, so that none fails for the sake of another.
 */
export function inGroups<T, R>(run: (items: T[]) => Promise<R>): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: Promise<R>) => void }
  let waiting: Waiting[] = []
  let running = false

  async function runGroups(): Promise<void> {
    running = true
    // Those who come in the same turn belong together, too.
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
