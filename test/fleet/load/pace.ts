/** The pace of the load: steady and modest, since all of the fleet shares one machine. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats `work` with a pause of about `pauseMs` after each, until `stopping` aborts. */
export async function repeat(
  stopping: AbortSignal,
  pauseMs: number,
  work: () => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    await work()
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: stopping }).catch(() => {})
  }
}

/** One of them, by chance. @throws when there is none. */
export function oneOf<T>(items: readonly T[]): T {
  const [item] = items.slice(Math.floor(Math.random() * items.length))
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
