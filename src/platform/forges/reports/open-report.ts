/** Begins to report a deployment to the forge of its commit. */
import type { Database } from '../../../stores/db/database.ts'
import { forgeReports } from '../../../stores/db/schema/project-repositories.ts'

type Reported = {
  deploymentId: string
  projectId: string
  commit: string
  /** The number of the pull request that gets the comment. */
  pullRequest: number | undefined
  nowMs: number
}

/** Reports again from the start where a pull request has come since. */
export async function openReport(
  db: Database,
  { deploymentId, projectId, commit, pullRequest, nowMs }: Reported,
): Promise<void> {
  const report = { deploymentId, projectId, commit, pullRequest: pullRequest ?? null, dueMs: nowMs }
  const insert = db.insert(forgeReports).values(report)
  if (pullRequest === undefined) {
    await insert.onConflictDoNothing({ target: forgeReports.deploymentId })
    return
  }
  const set = { pullRequest, open: true, reported: null, problem: null, attempts: 0, dueMs: nowMs }
  await insert.onConflictDoUpdate({ target: forgeReports.deploymentId, set })
}
