/** Runs recurring tasks until it is stopped. */

import type { Logger } from '../../lib/log/logger.ts'
import { isUnreachable } from '../../stores/db/failures.ts'

/**
 * `run` does a bounded piece of work and returns whether there is more to do right away; `stopping` aborts
 * when the loop is stopped. `firstAfterMs` delays the first run.
 */
export type Task = {
  name: string
  everyMs: number
  firstAfterMs?: number | undefined
  run: (stopping: AbortSignal) => Promise<boolean>
}

/** The longest backoff after failures, unless the interval is longer. */
const maxPauseMs = 60_000

/** The longest pause while a server can't be reached, so that work goes on soon after its return. */
const unreachablePauseMs = 2_000

type Outcome = 'done' | 'failed' | 'unreachable'

/**
 * Starts every task at once, or after its delay, and then in its interval, never concurrently with itself.
 * Failures are logged, and retried after the interval, then twice as long and so on up to a minute; where a
 * server can't be reached, within two seconds, and only the first one is logged. The returned function stops
 * the tasks and waits for running ones. `onFailure` gets the task's name.
 */
export function startLoop(
  tasks: Task[],
  log: Logger,
  onFailure: (task: string) => void = () => {},
): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  function start(task: Task, pauseMs: number, last: Outcome = 'done'): void {
    const round = runAll(task, last).then((outcome) => {
      running.delete(round)
      if (stopping.signal.aborted) return
      if (outcome === 'failed') {
        const nextMs = Math.max(task.everyMs, Math.min(pauseMs * 2, maxPauseMs))
        startAfter(pauseMs, () => start(task, nextMs, outcome))
      } else {
        const afterMs = outcome === 'done' ? task.everyMs : Math.min(task.everyMs, unreachablePauseMs)
        startAfter(afterMs, () => start(task, task.everyMs, outcome))
      }
    })
    running.add(round)
  }

  function startAfter(afterMs: number, begin: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      begin()
    }, afterMs)
    timers.add(timer)
  }

  async function runAll(task: Task, last: Outcome): Promise<Outcome> {
    try {
      while (!stopping.signal.aborted && (await task.run(stopping.signal)));
      return 'done'
    } catch (error) {
      const outcome = isUnreachable(error) ? 'unreachable' : 'failed'
      if (outcome === 'failed' || last !== outcome) {
        onFailure(task.name)
        log.error({ err: error, task: task.name }, 'A recurring task failed; retrying.')
      }
      return outcome
    }
  }

  for (const task of tasks) {
    if (task.firstAfterMs === undefined) start(task, task.everyMs)
    else startAfter(task.firstAfterMs, () => start(task, task.everyMs))
  }

  return async () => {
    stopping.abort()
    for (const timer of timers) clearTimeout(timer)
    await Promise.allSettled(running)
  }
}
