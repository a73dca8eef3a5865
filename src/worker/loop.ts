/** Runs recurring work one after another until it is stopped. */
import type { Logger } from '../log/logger.ts'

/**
 * `run` does a bounded piece of work and tells whether there is more to do right away; `stopping` aborts when the loop
 * is stopped, for work that would keep the stop waiting. With `firstAfterMs` it isn't done at once.
 */
export type Task = {
  name: string
  everyMs: number
  firstAfterMs?: number | undefined
  run: (stopping: AbortSignal) => Promise<boolean>
}

/** However often a task fails, and fills the log with that: it is tried again after this, or in its own interval. */
const maxPauseMs = 60_000

/**
 * Starts every task at once, or when it is to be first, and then in its interval, never the same one twice at a time. A failure is logged, and tried
 * again after the interval, then twice as long and so on up to a minute. The function that it returns stops the tasks
 * and waits for what is under way. `onFailure` is told the task's name.
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
      log.error({ err: error, task: task.name }, 'A recurring task failed; it is tried again.')
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
