/** Does what forges' deliveries ask for, as long as the node runs. */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../../../lib/log/logger.ts'
import { startQueue } from '../../../stores/queue/queue.ts'
import { claimDeliveries, extendDeliveries, type Job } from './claim-forge-delivery.ts'
import type { DeployDeps } from './deploy-commit.ts'
import { forgeQueue } from './receive.ts'
import { runDelivery } from './run-forge-delivery.ts'

/** The most deliveries of a team at a time. */
const mostOfTeam = 2

const pollMs = 2_000

/** Starts working. The returned function stops, and resolves when what ran is left to others. */
export function startForgeDeliveries(
  deps: DeployDeps & { log: Logger; concurrency: number },
): () => Promise<void> {
  const { store, log, nowMs } = deps
  const worker = randomUUID()
  const running = new Map<string, number>()

  const busy = () => [...running].filter(([, count]) => count >= mostOfTeam).map(([team]) => team)
  const count = (team: string, by: number) => {
    const left = (running.get(team) ?? 0) + by
    if (left > 0) running.set(team, left)
    else running.delete(team)
  }

  return startQueue<Job>(
    {
      name: forgeQueue,
      concurrency: deps.concurrency,
      pollMs,
      async claim(limit) {
        const jobs = await claimDeliveries(store.db, { worker, busy: busy(), limit, nowMs: nowMs() })
        for (const { teamId } of jobs) count(teamId, 1)
        return jobs
      },
      extend: (ids) => extendDeliveries(store.db, worker, ids, nowMs()),
      about: ({ id, projectId }) => ({ delivery: id, project: projectId }),
      run: (job, signal) => runDelivery(deps, worker, job, signal).finally(() => count(job.teamId, -1)),
    },
    { changes: store.changes, log },
  )
}
