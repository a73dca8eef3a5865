/** Gives back the deployments and addresses of reopened pull requests, and of branches in use again. */
import { and, eq, or } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { closedPullRequests } from '../../../stores/db/schema/project-repositories.ts'
import { deployments } from '../../../stores/db/schema/projects.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { lockProject, restoreBranchAddress } from '../../deployments/branch-address.ts'
import { noteUse } from '../../git/branches.ts'

/** A branch, with the pull request that is known of it. */
type InUse = { projectId: string; branch: string; number: number | undefined }

/** Keeps the deployments of a branch that is in use again; of this pull request, whatever its branch was. */
export async function reopenBranch(db: Database, { projectId, branch, number }: InUse): Promise<void> {
  const ofBranch = eq(closedPullRequests.branch, branch)
  const isMeant = number === undefined ? ofBranch : or(ofBranch, eq(closedPullRequests.number, number))
  await db.delete(closedPullRequests).where(and(eq(closedPullRequests.projectId, projectId), isMeant))
}

/** Keeps the deployments of a pull request of a fork that is open. */
export async function reopenPullRequestOfFork(
  db: Database,
  { projectId, number }: Omit<InUse, 'branch'> & { number: number },
): Promise<void> {
  await db
    .delete(closedPullRequests)
    .where(and(eq(closedPullRequests.projectId, projectId), eq(closedPullRequests.number, number)))
}

/**
 * Keeps the deployment that a branch in use has already, with its address; one of a push for good. Resolves
 * to whether it has that again; to undefined where the deployment is gone.
 */
export async function useAgain(
  tx: Transaction,
  known: InUse & { deploymentId: string },
  nowMs: number,
): Promise<boolean | undefined> {
  const { projectId, branch, number, deploymentId } = known
  // As what deletes the deployment does, before its row.
  await lockProject(tx, projectId)
  await reopenBranch(tx, known)
  await noteUse(tx, { projectId, name: branch, pullRequest: number })
  if (number === undefined)
    await tx.update(deployments).set({ pushedToo: true }).where(eq(deployments.id, deploymentId))
  return restoreBranchAddress(tx, known, nowMs)
}
