/** Recurring deletion of expired data: in bounded steps, with one log line. */

import type { Logger } from '../../lib/log/logger.ts'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type { Database } from '../../stores/db/database.ts'
import { takeTurn } from '../../stores/queue/recurring.ts'
import type { Task } from './loop.ts'

export type Sweep = {
  name: string
  everyMs: number
  /** The delay after the start. */
  firstAfterMs?: number
  /** One node for all, or each node its own data. */
  by: 'one node' | 'each node'
  /**
   * Deletes a small batch, and resolves to its size: 0 when nothing is left. The time is that of the clock
   * for deletions, so that nothing expires after a clock jump.
   */
  step: (nowMs: number) => Promise<number>
  /** Completes "removed 120 …". */
  what: string
}

/** Turns are of a clock shared by all nodes: polling this often takes over soon after a crash. */
const pollMs = 60_000

/**
 * The task that sweeps in its turn, unless the clock has jumped. After a crash the next turn continues, on
 * any node.
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
    everyMs: isShared ? Math.min(everyMs, pollMs) : everyMs,
    firstAfterMs,
    run: async (stopping) => {
      const nowMs = await removal.ask()
      // The turn is kept until there is a time again.
      if (nowMs === undefined) return false
      if (!isShared || (await takeTurn(db, name, everyMs))) await sweep(nowMs, stopping)
      return false
    },
  }
}
