/** Runs recurring tasks until it is stopped. */
import type { Logger } from '../log/logger.ts'

/**
 * `run` does a bounded piece of work and returns whether there is more to do right away; `stopping` aborts when the loop is
 * stopped. `firstAfterMs` delays the first run.
 */
export type Task = {
  name: string
  everyMs: number
  firstAfterMs?: number | undefined
  run: (stopping: AbortSignal) => Promise<boolean>
}

/** The longest backoff after failures, unless the interval is longer. */
const maxPauseMs = 60_000

/**
 * Starts every task at once, or after its delay, and then in its interval, never concurrently with itself. Failures are
 * logged, and retried after the interval, then twice as long and so on up to a minute. The returned function stops the tasks
 * and waits for running ones. `onFailure` gets the task's name.
 */
export function startLoop(
  tasks: Task[],
  log: Logger,
  onFailure: (task: string) => void = () => {},
): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  function start(task: Task, pauseMs: number): void {
    const round = runAll(task).then((hasFailed) => {
      running.delete(round)
      if (stopping.signal.aborted) return
      const nextMs = hasFailed ? Math.max(task.everyMs, Math.min(pauseMs * 2, maxPauseMs)) : task.everyMs
      startAfter(task, hasFailed ? pauseMs : task.everyMs, nextMs)
    })
    running.add(round)
  }

  function startAfter(task: Task, afterMs: number, pauseMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      start(task, pauseMs)
    }, afterMs)
    timers.add(timer)
  }

  /** Resolves to whether the task failed. */
  async function runAll(task: Task): Promise<boolean> {
    try {
      while (!stopping.signal.aborted && (await task.run(stopping.signal)));
      return false
    } catch (error) {
      onFailure(task.name)
      log.error({ err: error, task: task.name }, 'A recurring task failed; retrying.')
      return true
    }
  }

  for (const task of tasks) {
    if (task.firstAfterMs === undefined) start(task, task.everyMs)
    else startAfter(task, task.firstAfterMs, task.everyMs)
  }

  return async () => {
    stopping.abort()
    for (const timer of timers) clearTimeout(timer)
    await Promise.allSettled(running)
  }
}
