/** Work that clears away what is over: in bounded steps, counted, and told in one line when it did something. */
import type { RemovalClock } from '../clock/removal.ts'
import type { Database } from '../db/open.ts'
import type { Logger } from '../log/logger.ts'
import { takeTurn } from '../queue/recurring.ts'
import type { Task } from './loop.ts'

export type Sweep = {
  name: string
  everyMs: number
  /** For so long after the start nothing is cleared away. */
  firstAfterMs?: number
  /** By one node for all; else each clears away what it alone has. */
  by: 'one node' | 'each node'
  /**
   * Clears away no more than is done in a moment, and resolves to how much: nothing when nothing is left. The time is that
   * of the clock for removals: there is no other here, so that none is forgotten while the clock has jumped.
   */
  step: (nowMs: number) => Promise<number>
  /** Completes "removed 120 …". */
  what: string
}

/** Turns come from a clock that all nodes share: who asks as often as this takes over soon where a node has died. */
const askMs = 60_000

/**
 * The task that sweeps in its turn, unless the clock has jumped. A node that dies in it leaves the rest to the next turn,
 * whoever has that.
 */
export function sweepTask(
  { db, removal, log }: { db: Database; removal: Pick<RemovalClock, 'ask'>; log: Logger },
  { name, everyMs, firstAfterMs, by, step, what }: Sweep,
): Task {
  async function sweep(nowMs: number, stopping: AbortSignal): Promise<void> {
    let count = 0
    try {
      let removed: number
      do {
        removed = await step(nowMs)
        count += removed
      } while (removed > 0 && !stopping.aborted)
    } finally {
      if (count > 0) log.info({ task: name, count }, `removed ${count} ${what}`)
    }
  }

  const isShared = by === 'one node'
  return {
    name,
    everyMs: isShared ? Math.min(everyMs, askMs) : everyMs,
    firstAfterMs,
    run: async (stopping) => {
      const nowMs = await removal.ask()
      // The turn is left to when there is a time again.
      if (nowMs === undefined) return false
      if (!isShared || (await takeTurn(db, name, everyMs))) await sweep(nowMs, stopping)
      return false
    },
  }
}
