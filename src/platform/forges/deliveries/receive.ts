/** Keeps what a forge sent: once, before it is answered. */
import { and, count, desc, eq, gt, inArray, isNull, ne, notExists } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { type Came, type GitLine, logGit } from '../../git/log-lines.ts'
import { followForge } from '../../git/production-branch.ts'
import { followRepository } from '../../projects/follow-repository.ts'
import { reopenPullRequestOfFork } from '../closed/reopen.ts'
import type { KnownRepository } from '../find-repository.ts'
import { cameColumns } from './end.ts'
import { laterDeliveries } from './later.ts'
import { endOlderOfFork, isOfFork, planInTurn, waitsForApproval } from './wait-for-approval.ts'
import { type Plan, type Work, workSchema } from './work.ts'

/** The queue that is notified when there is something to do. */
export const forgeQueue = 'forge deliveries'

/** The deliveries kept of a project: those that can be listed, and by which repeats are known. */
export const keptDeliveries = 200

/** The most deliveries of a project that wait. */
export const maxPending = 50

/** `forgeId` is the forge's own id of the delivery, `event` its name there. */
export type Received = {
  forgeId: string
  event: string
  plan: Plan
  from: Work['from']
  /** The address of the project's repository, to which it may have moved. */
  repository: string
  /** The forge's id of it, where the event says that. */
  repositoryId?: string | undefined
  /** The repository's default branch: production from now on, unless an owner set another one. */
  defaultBranch?: string | undefined
}

/** `reason` says what came of it; null while that is open. */
export type Answer = { delivery: string; status: ForgeDeliveryStatus; reason: string | null }

type ForgeDeliveryStatus = (typeof forgeDeliveries.$inferSelect)['status']

/** `envKey` is what secrets of repositories are sealed with. */
type Deps = { store: Store; envKey: Buffer; nowMs: () => number }

/**
 * Stores a delivery, with what is to be done about it. One that came before gets the answer of the first, but
 * for one that failed, which is tried again.
 * @throws AppError `too_many_waiting` while as many of the project wait as may.
 */
export async function receiveDelivery(
  { store, envKey, nowMs: now }: Deps,
  owner: Owner,
  received: Received,
): Promise<Answer> {
  return store.transact(async (tx) => {
    const nowMs = now()
    const { answer, isNew } = await keepDelivery(tx, owner, received, nowMs)
    const { repositoryId: id, repository: url } = received
    // What came before says where the repository was.
    if (isNew && id !== undefined) await followRepository({ tx, envKey, nowMs }, owner.projectId, { id, url })
    return answer
  })
}

type Owner = Pick<KnownRepository, 'teamId' | 'projectId'>

/** Within a transaction. `isNew`: whether it is the first. @throws AppError as `receiveDelivery` does. */
export async function keepDelivery(
  tx: Transaction,
  { teamId, projectId }: Owner,
  { forgeId, event, plan: wanted, from, repository, defaultBranch }: Received,
  nowMs: number,
): Promise<{ answer: Answer; isNew: boolean }> {
  const known = await findReceived(tx, projectId, forgeId)
  const isAgain = known?.status === 'failed' && (await forgetFailed(tx, known.delivery))
  if (known && !isAgain) return { answer: known, isNew: false }
  if (defaultBranch !== undefined) await followForge(tx, projectId, { branch: defaultBranch, nowMs })
  const plan = isOfFork(wanted) ? await planInTurn(tx, projectId, wanted) : wanted
  const isWaiting = plan.kind === 'deploy_fork'
  const isPending = plan.kind !== null && !isWaiting
  if (isPending) await requireRoom(tx, projectId)
  const { branch = null, commit = null, pullRequest = null } = plan
  const [made] = await tx
    .insert(forgeDeliveries)
    .values({
      id: newId('forgeDelivery', nowMs),
      teamId,
      projectId,
      forgeId,
      event,
      status: isWaiting ? 'waiting' : isPending ? 'pending' : 'done',
      work: plan.kind === null ? null : workSchema.parse({ ...plan, from, repository }),
      branch,
      commit,
      pullRequest,
      outcome: plan.kind === null ? plan.outcome : isWaiting ? waitsForApproval : null,
      dueMs: nowMs,
      receivedMs: nowMs,
      endedMs: plan.kind === null ? nowMs : null,
    })
    .onConflictDoNothing({ target: [forgeDeliveries.projectId, forgeDeliveries.forgeId] })
    .returning(answerColumns)
  if (!made) return { answer: (await findReceived(tx, projectId, forgeId)) ?? repeatGone(), isNew: false }
  await removeOld(tx, projectId)
  const newer = { projectId, than: made.delivery, nowMs }
  if (plan.kind === 'deploy_fork')
    await reopenPullRequestOfFork(tx, { projectId, number: plan.pullRequest ?? 0 })
  const ended = isOfFork(plan) ? await endOlderOfFork(tx, { ...newer, ...plan }) : []
  const passed = isPending ? await giveWay(tx, { ...newer, branch }) : []
  const came = { event, branch, commit, pullRequest, delivery: made.delivery }
  await logGit(tx, { teamId, projectId }, [...ended, ...passed, lineOf(came, made.reason)], nowMs)
  if (isPending) tx.announce({ kind: 'work', id: forgeQueue })
  return { answer: made, isNew: true }
}

type Newer = { projectId: string; branch: string | null; than: string; nowMs: number }

function lineOf(came: Came, outcome: string | null): GitLine {
  return { level: 'info', came, outcome: outcome ?? 'Received.' }
}

/**
 * Ends the deliveries of a branch that wait for another attempt: they are not worth it any more, and would
 * hold up what the branch has now. Resolves to their lines for the log.
 */
async function giveWay(tx: Database, { projectId, branch, than, nowMs }: Newer): Promise<GitLine[]> {
  if (branch === null) return []
  const outcome = 'The branch has changed since.'
  const passed = await tx
    .update(forgeDeliveries)
    .set({ status: 'done', outcome, work: null, endedMs: nowMs })
    .where(
      and(
        eq(forgeDeliveries.projectId, projectId),
        eq(forgeDeliveries.branch, branch),
        eq(forgeDeliveries.status, 'pending'),
        ne(forgeDeliveries.id, than),
        isNull(forgeDeliveries.worker),
        gt(forgeDeliveries.attempts, 0),
      ),
    )
    .returning(cameColumns)
  return passed.map((came) => lineOf(came, outcome))
}

/** The columns of an `Answer`. */
export const answerColumns = {
  delivery: forgeDeliveries.id,
  status: forgeDeliveries.status,
  reason: forgeDeliveries.outcome,
}

async function findReceived(tx: Database, projectId: string, forgeId: string): Promise<Answer | undefined> {
  const [known] = await tx
    .select(answerColumns)
    .from(forgeDeliveries)
    .where(and(eq(forgeDeliveries.projectId, projectId), eq(forgeDeliveries.forgeId, forgeId)))
  return known
}

/**
 * Forgets a delivery that failed, so that its repeat is tried as a new one; not where there is something
 * later already, which an older commit must not replace. Resolves to whether it did.
 */
async function forgetFailed(tx: Database, id: string): Promise<boolean> {
  const [forgotten] = await tx
    .delete(forgeDeliveries)
    .where(
      and(eq(forgeDeliveries.id, id), eq(forgeDeliveries.status, 'failed'), notExists(laterDeliveries(tx))),
    )
    .returning({ id: forgeDeliveries.id })
  return forgotten !== undefined
}

function repeatGone(): never {
  throw new Error('A delivery that came twice was removed meanwhile.')
}

/** @throws AppError `too_many_waiting`. */
export async function requireRoom(tx: Database, projectId: string): Promise<void> {
  const [waiting] = await tx
    .select({ count: count() })
    .from(forgeDeliveries)
    .where(and(eq(forgeDeliveries.projectId, projectId), eq(forgeDeliveries.status, 'pending')))
  if ((waiting?.count ?? 0) < maxPending) return
  const message = `${maxPending} deliveries of this project wait already. Send it again later.`
  throw new AppError('too_many_waiting', message, { retryAfterMs: 60_000 })
}

async function removeOld(tx: Database, projectId: string): Promise<void> {
  const surplus = tx
    .select({ id: forgeDeliveries.id })
    .from(forgeDeliveries)
    .where(eq(forgeDeliveries.projectId, projectId))
    .orderBy(desc(forgeDeliveries.receivedMs), desc(forgeDeliveries.id))
    .offset(keptDeliveries)
  await tx
    .delete(forgeDeliveries)
    .where(and(inArray(forgeDeliveries.id, surplus), inArray(forgeDeliveries.status, ['done', 'failed'])))
}
