/** The deliveries of forks of a project's repository, which wait until an owner approves them. */
import { and, desc, eq, inArray, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { forgeDeliveries, projectRepositories } from '../../../stores/db/schema/project-repositories.ts'
import type { GitLine } from '../../git/log-lines.ts'
import { cameColumns } from './end.ts'
import { forksRefused, type Plan } from './work.ts'

/** The most that wait in a project: whoever has an account at the forge can open pull requests. */
export const maxWaiting = 50

/** The outcome until then. */
export const waitsForApproval = 'It waits for the approval of an owner.'

type OfFork = Plan & { kind: 'deploy_fork' | 'close_fork' }

export function isOfFork(plan: Plan): plan is OfFork {
  return plan.kind === 'deploy_fork' || plan.kind === 'close_fork'
}

/**
 * The plan for a fork, as the setting is now. Until the transaction ends, neither the setting changes nor
 * anything else comes from a fork: so one head of a pull request waits at most.
 */
export async function planInTurn(tx: Database, projectId: string, plan: OfFork): Promise<Plan> {
  const [repository] = await tx
    .select({ takesForks: projectRepositories.takesForks })
    .from(projectRepositories)
    .where(eq(projectRepositories.projectId, projectId))
    .for('no key update')
  if (plan.kind === 'close_fork' || repository?.takesForks) return plan
  const { commit, pullRequest } = plan
  return {
    ...(commit !== undefined && { commit }),
    ...(pullRequest !== undefined && { pullRequest }),
    kind: null,
    outcome: forksRefused,
  }
}

type Newer = OfFork & { projectId: string; than: string; nowMs: number }

/**
 * Ends what the pull request had waiting before this delivery: for a closed one also what has been approved
 * and isn't deployed yet, whoever is at it. Of all that wait the oldest give way where they are too many.
 * Resolves to what the log is to say of them.
 */
export async function endOlderOfFork(tx: Database, newer: Newer): Promise<GitLine[]> {
  const { kind, projectId, pullRequest = 0, than, nowMs } = newer
  const isClosed = kind === 'close_fork'
  const isApproved = and(eq(forgeDeliveries.status, 'pending'), isNotNull(forgeDeliveries.approvedBy))
  const isWaiting = eq(forgeDeliveries.status, 'waiting')
  const older = and(
    eq(forgeDeliveries.projectId, projectId),
    eq(forgeDeliveries.pullRequest, pullRequest),
    ne(forgeDeliveries.id, than),
    isClosed ? or(isWaiting, isApproved) : isWaiting,
  )
  const why = isClosed ? 'The pull request was closed.' : 'The pull request has a newer head.'
  const passed = await end(tx, older, { why, nowMs })
  if (isClosed) return passed
  const surplus = tx
    .select({ id: forgeDeliveries.id })
    .from(forgeDeliveries)
    .where(and(eq(forgeDeliveries.projectId, projectId), isWaiting))
    .orderBy(desc(forgeDeliveries.receivedMs), desc(forgeDeliveries.id))
    .offset(maxWaiting)
  const tooMany = `Of the pull requests of forks that wait, the latest ${maxWaiting} are kept.`
  const dropped = await end(tx, inArray(forgeDeliveries.id, surplus), { why: tooMany, nowMs })
  return [...passed, ...dropped]
}

async function end(
  tx: Database,
  which: SQL | undefined,
  { why, nowMs }: { why: string; nowMs: number },
): Promise<GitLine[]> {
  const ended = await tx
    .update(forgeDeliveries)
    .set({ status: 'done', outcome: why, work: null, worker: null, leaseMs: 0, endedMs: nowMs })
    .where(which)
    .returning(cameColumns)
  return ended.map((came) => ({ level: 'info', came, outcome: why }))
}
