/** Runs recurring work one after another until it is stopped. */
import type { Logger } from '../log.ts'

/**
 * `run` does a bounded piece of work and tells whether there is more to do right away; `stopping` aborts when the loop
 * is stopped, for work that would keep the stop waiting.
 */
export type Task = { name: string; everyMs: number; run: (stopping: AbortSignal) => Promise<boolean> }

/**
 * Starts every task at once and then in its interval, never the same one twice at a time. A failure is logged and
 * tried again in the next interval. The function that it returns stops the tasks and waits for what is under way.
 */
export function startLoop(tasks: Task[], log: Logger): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  function start(task: Task): void {
    const round = runAll(task).finally(() => {
      running.delete(round)
      if (stopping.signal.aborted) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(task)
      }, task.everyMs)
      timers.add(timer)
    })
    running.add(round)
  }

  async function runAll(task: Task): Promise<void> {
    try {
      while (!stopping.signal.aborted && (await task.run(stopping.signal)));
    } catch (error) {
      log.error({ err: error, task: task.name }, 'A recurring task failed; it is tried again.')
    }
  }

  for (const task of tasks) start(task)

  return async () => {
    stopping.abort()
    for (const timer of timers) clearTimeout(timer)
    await Promise.allSettled(running)
  }
}
