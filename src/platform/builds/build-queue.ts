/** The queue of builds, as one worker processes it. */
import { randomUUID } from 'node:crypto'
import type { Queue } from '../../stores/queue/queue.ts'
import { type BuildJob, buildQueue, claimBuilds, extendBuilds } from '../deployments/queued/claim-build.ts'
import { type BuildDeps, runBuild } from './run-build.ts'

/** The poll interval for builds of lost workers, which send no notification. */
const pollMs = 2_000

/** A worker with an id of its own, which claims builds in that name. */
export function createBuildQueue(deps: BuildDeps, { concurrency }: { concurrency: number }): Queue<BuildJob> {
  const worker = randomUUID()
  const running = new Set<string>()
  return {
    name: buildQueue,
    concurrency,
    pollMs,
    claim: (limit) => claimBuilds(deps, { worker, running: [...running], limit }),
    extend: (ids) => extendBuilds(deps, worker, ids),
    about: ({ id, projectId }) => ({ deployment: id, project: projectId }),
    async run(job, signal) {
      running.add(job.id)
      try {
        await runBuild(deps, job, signal)
      } finally {
        running.delete(job.id)
      }
    },
  }
}
