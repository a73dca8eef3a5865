/** Takes away what goes with a deleted branch and with a closed pull request: addresses and deployments. */
import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { branches } from '../../../stores/db/schema/branches.ts'
import { projectRepositories } from '../../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { removeBranchAddress } from '../../deployments/branch-address.ts'
import { removePullRequestAddress } from '../../deployments/pull-request-address.ts'
import { removeBranches } from '../../git/branches.ts'
import { branchDeleted } from '../../git/delete-branches.ts'
import { productionAmong, unsettleDeleted } from '../../git/production-branch.ts'
import { isMadeForAny, isMadeForPullRequest } from './made-for.ts'
import { fateOf, noteClosed } from './note-closed.ts'

type PullRequest = { projectId: string; branch: string; number: number }

/**
 * Notes when what the pull request had deployed is due. Whoever reads a repository may open and close pull
 * requests of its branches: so the address goes only where this one first deployed the branch and nothing but
 * pull requests has, and never of the branch that goes to production. Resolves to what came of it, in
 * sentences.
 */
export async function closePullRequest(
  tx: Transaction,
  { projectId, branch, number }: PullRequest,
  nowMs: number,
): Promise<string> {
  const project = await lockConnected(tx, projectId)
  if (!project) return notConnected
  if (branch === productionAmong({ branch: project.production }, [branch]))
    return 'Its branch goes to production, and keeps its address and deployments.'
  const isTaken = await takeAddress(tx, { projectId, branch, number }, nowMs)
  const ofBranch = isOf({ projectId, branch })
  const isMade = await isAny(tx, and(ofBranch, isMadeForPullRequest(String(number))))
  const { closeDays } = project
  if (isMade) await noteClosed(tx, [{ branch, number }], { projectId, closeDays, nowMs })
  if (isTaken) return `The address of the branch is gone. Its deployments ${fateOf(closeDays)}.`
  const kept = 'Not this pull request alone had the branch deployed, which keeps its address.'
  return isMade ? `${kept} Deployments made for it ${fateOf(closeDays)}.` : kept
}

const notConnected = 'The project is connected to no repository any more.'

/** Resolves to whether the address of the branch is the pull request's to take. */
async function takeAddress(
  tx: Transaction,
  { projectId, branch, number }: PullRequest,
  nowMs: number,
): Promise<boolean> {
  const isOther = sql`${deployments.meta} ->> 'pull_request' is null`
  if (await isAny(tx, and(isOf({ projectId, branch }), isOther))) return false
  const [own] = await tx
    .update(branches)
    .set({ pullRequest: 0 })
    .where(
      and(
        eq(branches.projectId, projectId),
        eq(branches.name, branch),
        inArray(branches.pullRequest, [number, 0]),
      ),
    )
    .returning({ name: branches.name })
  if (own) await removeBranchAddress(tx, { projectId, branch }, nowMs)
  return own !== undefined
}

/** The most pull requests of a branch whose deployments go; those of more stay. */
const maxOfBranch = 100

/**
 * Takes the address of a branch that was deleted, and notes when what its pull requests had deployed is due:
 * forges close those. Resolves to what came of it, in sentences.
 */
export async function closeBranch(
  tx: Transaction,
  { projectId, branch }: Omit<PullRequest, 'number'>,
  nowMs: number,
): Promise<string> {
  const project = await lockConnected(tx, projectId)
  if (!project) return notConnected
  await removeBranchAddress(tx, { projectId, branch }, nowMs)
  const removed = await removeBranches(tx, { projectId, names: [branch] })
  const happened = removed.map((name) => branchDeleted(project, { id: projectId, name: project.name }, name))
  await recordEvents(tx, { origin: null, nowMs }, happened)
  await unsettleDeleted(tx, { projectId, names: [branch] }, { origin: null, nowMs })
  const gone = 'The address of the branch is gone.'
  const { closeDays } = project
  if (closeDays === null) return gone
  const number = sql<number>`(${deployments.meta} ->> 'pull_request')::integer`
  const left = await tx
    .selectDistinct({ number })
    .from(deployments)
    .where(and(isOf({ projectId, branch }), isMadeForAny))
    .limit(maxOfBranch)
  if (left.length === 0) return gone
  const closed = left.map(({ number }) => ({ branch, number }))
  await noteClosed(tx, closed, { projectId, closeDays, nowMs })
  return `${gone} Deployments made for its pull requests ${fateOf(closeDays)}.`
}

/** Resolves to a connected project, which is locked from here on; to undefined for another one. */
async function lockConnected(tx: Database, projectId: string) {
  const [project] = await tx
    .select({
      teamId: projects.teamId,
      name: projects.name,
      production: projects.productionBranch,
      closeDays: projectRepositories.closeDays,
    })
    .from(projects)
    .innerJoin(projectRepositories, eq(projectRepositories.projectId, projects.id))
    .where(eq(projects.id, projectId))
    .for('no key update', { of: projects })
  return project
}

function isOf({ projectId, branch }: Omit<PullRequest, 'number'>): SQL | undefined {
  return and(eq(deployments.projectId, projectId), eq(sql`(${deployments.meta} ->> 'branch')`, branch))
}

async function isAny(tx: Database, which: SQL | undefined): Promise<boolean> {
  const found = await tx.select({ id: deployments.id }).from(deployments).where(which).limit(1)
  return found.length > 0
}

/**
 * Takes the address of a pull request of a fork, and notes when its deployments are due. Only one that was
 * deployed is noted: strangers close as many as they like.
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
  await noteClosed(tx, [{ branch: null, number }], { projectId, closeDays, nowMs })
  return `The address of the pull request is gone. Its deployments ${fateOf(closeDays)}.`
}
