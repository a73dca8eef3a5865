/** Works off rows that are work: takes them under a lease, extends it while they run, and is woken when there are new ones. */
import type { Changes } from '../db/changes.ts'
import type { Logger } from '../log/logger.ts'
import { heartbeatMs } from './lease.ts'

/**
 * `claim` takes at most `limit` rows that are due and not another worker's. `extend` lengthens the lease of those that are
 * still this worker's and resolves to their ids. `run` does one and records how it ended, unless `signal` aborts: then the
 * row is another's, or the node stops, and it is left as it is.
 */
export type Queue<Job extends { id: string }> = {
  name: string
  /** At most so many at a time. */
  concurrency: number
  /** How often to look where nothing woke it. */
  pollMs: number
  claim(limit: number): Promise<Job[]>
  extend?(ids: string[]): Promise<string[]>
  run(job: Job, signal: AbortSignal): Promise<void>
  /** What a log names beside the job: the things of clients that it is about. */
  about?(job: Job): Record<string, string>
}

type Deps = { changes: Changes; log: Logger }

/** Starts working. The function that it returns takes no more, aborts what runs and resolves when that has ended. */
export function startQueue<Job extends { id: string }>(
  queue: Queue<Job>,
  { changes, log }: Deps,
): () => Promise<void> {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>()
  // Where no lease is extended, none is lost: then all of them end with the node alone.
  const stopping = new AbortController()
  let isStopped = false
  let looking: Promise<void> | undefined
  let isWoken = false

  function wake(): void {
    isWoken = true
    looking ??= look().finally(() => {
      looking = undefined
    })
  }

  async function look(): Promise<void> {
    while (isWoken && !isStopped) {
      isWoken = false
      const limit = queue.concurrency - running.size
      // Whatever ends next looks again.
      if (limit <= 0) return
      const jobs = await queue.claim(limit).catch((error: unknown) => {
        log.error({ err: error, queue: queue.name }, 'Work could not be taken; it is tried again.')
        return []
      })
      for (const job of jobs) start(job)
      if (jobs.length > 0) isWoken = true
    }
  }

  function start(job: Job): void {
    const controller = queue.extend ? new AbortController() : stopping
    if (isStopped) controller.abort()
    const ended = queue
      .run(job, controller.signal)
      .catch((error: unknown) => {
        const about = { queue: queue.name, job: job.id, ...queue.about?.(job) }
        log.error({ err: error, ...about }, 'Work failed; it is taken again.')
      })
      .finally(() => {
        running.delete(job.id)
        wake()
      })
    running.set(job.id, { controller, ended })
  }

  async function extendLeases(): Promise<void> {
    const ids = [...running.keys()]
    if (ids.length === 0 || !queue.extend) return
    const held = new Set(await queue.extend(ids))
    for (const id of ids) if (!held.has(id)) running.get(id)?.controller.abort()
  }

  const poll = setInterval(wake, queue.pollMs)
  const beat = setInterval(() => {
    // Until the lease is over the row stays this worker's, and the next beat may pass.
    extendLeases().catch((error: unknown) =>
      log.error({ err: error, queue: queue.name }, 'A lease could not be extended.'),
    )
  }, heartbeatMs)
  const unsubscribe = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'work' && id === queue.name) wake()
    },
    missed: wake,
  })
  wake()

  return async () => {
    isStopped = true
    clearInterval(poll)
    clearInterval(beat)
    unsubscribe()
    await looking
    for (const { controller } of running.values()) controller.abort()
    await Promise.all([...running.values()].map(({ ended }) => ended))
  }
}
