/** Takes away what goes with a branch that is deleted, or with a pull request that is closed. */
import { cancelPullRequest } from '../../deployments/queued/cancel-pull-request.ts'
import { closeBranch, closePullRequest, closePullRequestOfFork } from '../closed/close.ts'
import type { Job } from './claim-forge-delivery.ts'
import type { DeployDeps } from './deploy-commit.ts'
import { endDelivery, type Held, LostDelivery } from './end.ts'
import type { Work } from './work.ts'

/** Each notes its outcome in the transaction that takes something away. */
const ways: Record<TakingAway, (deps: DeployDeps, held: Held, job: Job) => Promise<void>> = {
  remove,
  close,
  close_fork: closeFork,
}

export type TakingAway = Extract<Work['kind'], 'remove' | 'close' | 'close_fork'>

/** Does so for a claimed delivery, and notes the outcome, if the delivery is still this worker's. */
export async function takeAway(deps: DeployDeps, held: Held, job: Job, kind: TakingAway): Promise<void> {
  await ways[kind](deps, held, job).catch((error: unknown) => {
    if (!(error instanceof LostDelivery)) throw error
  })
}

/** The address of the branch, and in time what its pull requests had deployed. */
async function remove(deps: DeployDeps, held: Held, { projectId, branch }: Job): Promise<void> {
  const nowMs = deps.nowMs()
  await deps.store.transact(async (tx) => {
    if (branch === null) throw new Error('A branch that was deleted has no name.')
    const outcome = await closeBranch(tx, { projectId, branch }, nowMs)
    if (!(await endDelivery(tx, held, { status: 'done', outcome, nowMs }))) throw new LostDelivery()
  })
}

/** The deployments of the pull request, in time, and the address of a branch that nothing else has used. */
async function close(deps: DeployDeps, held: Held, { projectId, branch, pullRequest }: Job): Promise<void> {
  const nowMs = deps.nowMs()
  await deps.store.transact(async (tx) => {
    if (branch === null || pullRequest === null)
      throw new Error('A closed pull request has no branch or number.')
    const outcome = await closePullRequest(tx, { projectId, branch, number: pullRequest }, nowMs)
    if (!(await endDelivery(tx, held, { status: 'done', outcome, nowMs }))) throw new LostDelivery()
  })
}

/** The address of the pull request, what isn't built yet, and in time its deployments. */
async function closeFork(deps: DeployDeps, held: Held, { projectId, pullRequest }: Job): Promise<void> {
  const nowMs = deps.nowMs()
  await deps.store.transact(async (tx) => {
    if (pullRequest === null) throw new Error('A closed pull request has no number.')
    const closed = { projectId, number: pullRequest }
    const outcome = await closePullRequestOfFork(tx, closed, nowMs)
    await cancelPullRequest({ ...deps, tx, nowMs, origin: null }, closed)
    if (!(await endDelivery(tx, held, { status: 'done', outcome, nowMs }))) throw new LostDelivery()
  })
}
