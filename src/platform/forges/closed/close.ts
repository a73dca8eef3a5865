/** What a pull request leaves behind when it is closed, and gets back when it is opened again. */
import { and, desc, eq, exists, gte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { closedPullRequests, projectRepositories } from '../../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { lockProject, removeBranchAddress, restoreBranchAddress } from '../../deployments/branch-address.ts'
import { removePullRequestAddress } from '../../deployments/pull-request-address.ts'
import { usualBranch } from '../../git/production-branch.ts'
import { dueAfter } from '../../projects/closed-pull-requests.ts'

/** Of a project; the deployments of those closed before stay. */
const maxClosed = 1_000

type PullRequest = { projectId: string; branch: string; number: number }

/** A branch, with the pull request that is known of it. */
type InUse = Omit<PullRequest, 'number'> & { number: number | undefined }

/**
 * Takes the address of the branch away, unless the branch goes to production, and notes when its deployments
 * are due. Resolves to what came of it, in a sentence.
 */
export async function closePullRequest(
  tx: Transaction,
  { projectId, branch, number }: PullRequest,
  nowMs: number,
): Promise<string> {
  const [project] = await tx
    .select({ production: projects.productionBranch, closeDays: projectRepositories.closeDays })
    .from(projects)
    .innerJoin(projectRepositories, eq(projectRepositories.projectId, projects.id))
    .where(eq(projects.id, projectId))
    .for('no key update', { of: projects })
  if (!project) return 'The project is connected to no repository any more.'
  if (branch === (project.production ?? usualBranch))
    return 'Its branch goes to production, and keeps its address and deployments.'
  await removeBranchAddress(tx, { projectId, branch }, nowMs)
  const { closeDays } = project
  await noteClosed(tx, { projectId, branch, number }, { closeDays, nowMs })
  return `The address of the branch is gone. Its deployments ${fateOf(closeDays)}.`
}

/**
 * The same for a pull request of a fork, whose address is its own. Only one that was deployed is noted:
 * strangers close as many as they like.
 */
export async function closePullRequestOfFork(
  tx: Transaction,
  { projectId, number }: Omit<PullRequest, 'branch'>,
  nowMs: number,
): Promise<string> {
  // First, since it locks the project: nothing becomes ready from here on.
  await removePullRequestAddress(tx, { projectId, number }, nowMs)
  const ofFork = tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        sql`${deployments.meta} ->> 'pull_request' = ${String(number)}`,
        sql`${deployments.untrusted}`,
      ),
    )
  const [repository] = await tx
    .select({ closeDays: projectRepositories.closeDays })
    .from(projectRepositories)
    .where(and(eq(projectRepositories.projectId, projectId), exists(ofFork)))
  if (!repository) return 'Nothing of the pull request was deployed.'
  const { closeDays } = repository
  await noteClosed(tx, { projectId, branch: null, number }, { closeDays, nowMs })
  return `The address of the pull request is gone. Its deployments ${fateOf(closeDays)}.`
}

async function noteClosed(
  tx: Database,
  { projectId, branch, number }: Omit<PullRequest, 'branch'> & { branch: string | null },
  { closeDays, nowMs }: { closeDays: number | null; nowMs: number },
): Promise<void> {
  const set = { branch, closedMs: nowMs, dueMs: dueAfter(nowMs, closeDays) }
  await tx
    .insert(closedPullRequests)
    .values({ projectId, number, ...set })
    .onConflictDoUpdate({ target: [closedPullRequests.projectId, closedPullRequests.number], set })
  await removeSurplus(tx, projectId)
}

function fateOf(closeDays: number | null): string {
  if (closeDays === null) return 'stay'
  if (closeDays === 0) return 'are deleted soon'
  return `are deleted after ${closeDays === 1 ? 'a day' : `${closeDays} days`}`
}

async function removeSurplus(tx: Database, projectId: string): Promise<void> {
  const surplus = tx
    .select({ number: closedPullRequests.number })
    .from(closedPullRequests)
    .where(eq(closedPullRequests.projectId, projectId))
    .orderBy(desc(closedPullRequests.closedMs), desc(closedPullRequests.number))
    .offset(maxClosed)
  await tx
    .delete(closedPullRequests)
    .where(
      and(
        eq(closedPullRequests.projectId, projectId),
        sql`${closedPullRequests.number} = any(array(${surplus}))`,
      ),
    )
}

/** Keeps the deployments of a branch that is in use again; of this pull request, whatever its branch was. */
export async function reopenBranch(db: Database, { projectId, branch, number }: InUse): Promise<void> {
  const ofBranch = eq(closedPullRequests.branch, branch)
  const isMeant = number === undefined ? ofBranch : or(ofBranch, eq(closedPullRequests.number, number))
  await db.delete(closedPullRequests).where(and(eq(closedPullRequests.projectId, projectId), isMeant))
}

/** Keeps the deployments of a pull request of a fork that is open. */
export async function reopenPullRequestOfFork(
  db: Database,
  { projectId, number }: Omit<PullRequest, 'branch'>,
): Promise<void> {
  await db
    .delete(closedPullRequests)
    .where(and(eq(closedPullRequests.projectId, projectId), eq(closedPullRequests.number, number)))
}

/**
 * Keeps the deployment that a branch in use has already, with its address. Resolves to whether it has that
 * again; to undefined where the deployment is gone.
 */
export async function useAgain(
  tx: Transaction,
  known: InUse & { deploymentId: string },
  nowMs: number,
): Promise<boolean | undefined> {
  // As what deletes the deployment does, before its row.
  await lockProject(tx, known.projectId)
  await reopenBranch(tx, known)
  return restoreBranchAddress(tx, known, nowMs)
}

/** Has what is made of the branch from now on be later than its closed pull requests, by any node's clock. */
export async function beginAfterClosed(
  db: Database,
  { projectId, branch }: Pick<InUse, 'projectId' | 'branch'>,
  nowMs: number,
): Promise<void> {
  await db
    .update(closedPullRequests)
    .set({ closedMs: nowMs - 1 })
    .where(
      and(
        eq(closedPullRequests.projectId, projectId),
        eq(closedPullRequests.branch, branch),
        // By a clock that is ahead of this one.
        gte(closedPullRequests.closedMs, nowMs),
      ),
    )
}
