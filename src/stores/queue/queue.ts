/**
 * Processes a queue of rows: claims them with a lease, extends it while they run, and reacts to
 * notifications.
 */

import type { Logger } from '../../lib/log/logger.ts'
import type { Changes } from '../db/changes.ts'

/** Work whose worker hasn't extended its lease for this long is claimed by another. */
export const leaseMs = 20_000

/** How often a worker extends its leases. */
const heartbeatMs = 5_000

/**
 * `claim` claims at most `limit` due rows. `extend` extends the lease of those that are still this worker's
 * and resolves to their ids. `run` processes one and records the result, unless `signal` aborts: then the row
 * is another's, or the node stops, and it is left as it is.
 */
export type Queue<Job extends { id: string }> = {
  name: string
  /** Concurrency. */
  concurrency: number
  /** The poll interval. */
  pollMs: number
  claim(limit: number): Promise<Job[]>
  extend?(ids: string[]): Promise<string[]>
  run(job: Job, signal: AbortSignal): Promise<void>
  /** Fields for the log that identify the work. */
  about?(job: Job): Record<string, string>
}

type Deps = { changes: Changes; log: Logger }

/**
 * Starts processing. The returned function stops claiming, aborts what runs and resolves when that has ended.
 */
export function startQueue<Job extends { id: string }>(
  queue: Queue<Job>,
  { changes, log }: Deps,
): () => Promise<void> {
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>()
  // Without leases none is lost: then all work ends with the node.
  const stopping = new AbortController()
  let isStopped = false
  let looking: Promise<void> | undefined
  let isWoken = false
  let hasFailed = false

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
      // The next one to end claims again.
      if (limit <= 0) return
      const jobs = await claim(limit)
      for (const job of jobs) start(job)
      if (jobs.length > 0) isWoken = true
    }
  }

  /**
   * Only the first of failures in a row is logged: it polls every second or two while the database is
   * away.
   */
  async function claim(limit: number): Promise<Job[]> {
    try {
      const jobs = await queue.claim(limit)
      hasFailed = false
      return jobs
    } catch (error) {
      if (!hasFailed) log.error({ err: error, queue: queue.name }, 'Work could not be claimed; retrying.')
      hasFailed = true
      return []
    }
  }

  function start(job: Job): void {
    const controller = queue.extend ? new AbortController() : stopping
    if (isStopped) controller.abort()
    const ended = queue
      .run(job, controller.signal)
      .catch((error: unknown) => {
        const about = { queue: queue.name, job: job.id, ...queue.about?.(job) }
        log.error({ err: error, ...about }, 'Work failed; it will be claimed again.')
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
    // Until the lease expires the row stays this worker's, and the next heartbeat may succeed.
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
