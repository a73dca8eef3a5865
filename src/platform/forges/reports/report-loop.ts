/** Reports deployments to forges, as long as the node runs. */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../../../lib/log/logger.ts'
import { startQueue } from '../../../stores/queue/queue.ts'
import { claimReports, type ReportJob } from './claim-report.ts'
import { type ReportDeps, runReport } from './run-report.ts'

/** At a time. */
const most = 16

/** A report follows the state of its deployment by looking. */
const pollMs = 2_000

/** Starts reporting. The returned function stops, and resolves when running requests have ended. */
export function startReports(deps: ReportDeps & { log: Logger }): () => Promise<void> {
  const { store, log, nowMs } = deps
  const worker = randomUUID()
  return startQueue<ReportJob>(
    {
      name: 'forge reports',
      concurrency: most,
      pollMs,
      claim: (limit) => claimReports(store.db, { worker, limit, nowMs: nowMs() }),
      about: ({ id, projectId }) => ({ deployment: id, project: projectId }),
      run: (job) => runReport(deps, worker, job),
    },
    { changes: store.changes, log },
  )
}
