/** Does what a delivery of a forge asks for. */
import { AppError, type Reason } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import type { Deployer } from '../../callers/actor.ts'
import { reopenBranch, useAgain } from '../closed/reopen.ts'
import { findRepository, type KnownRepository } from '../find-repository.ts'
import { openReport } from '../reports/open-report.ts'
import { giveBackDelivery, type Job } from './claim-forge-delivery.ts'
import { type DeployDeps, deployCommit, findDeployed, type PushedCommit } from './deploy-commit.ts'
import { type Deploying, deployerOf, isDeploying } from './deployer.ts'
import { endDelivery, type Held, LostDelivery, maxAttempts, maxLost, postponeDelivery } from './end.ts'
import { takeAway } from './take-away.ts'
import { isOfRepository, workSchema } from './work.ts'

/** Refusals that pass. */
const passing: ReadonlySet<Reason> = new Set([
  'too_many_queued',
  'too_many_waiting',
  'rate_limited',
  'storage_quota',
  'store_unavailable',
  'disk_full',
  'builds_not_available',
  'request_timeout',
  'stopping',
])

/**
 * Runs one claimed delivery and notes what came of it, for as long as it is this worker's. Once `signal`
 * aborts it is left to another worker.
 */
export async function runDelivery(
  deps: DeployDeps,
  worker: string,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.store
  const held = { id: job.id, worker, attempts: job.attempts }
  const end = async (status: 'done' | 'failed', outcome: string) => {
    await deps.store.transact((tx) => endDelivery(tx, held, { status, outcome, nowMs: deps.nowMs() }))
  }
  const postpone = (why: string) =>
    deps.store.transact((tx) => postponeDelivery(tx, held, { why, nowMs: deps.nowMs() }))
  if (job.attempts > maxAttempts) return end('failed', `Given up after ${maxAttempts} attempts.`)
  if (job.lost >= maxLost)
    return end('failed', `Given up: the server ended ${job.lost} times while it was at this delivery.`)
  const work = workSchema.parse(job.work)
  const repository = await findRepository(db, job.projectId)
  if (!repository) return end('done', 'The project is connected to no repository any more.')
  if (!isOfRepository(work, repository))
    return end('done', 'The project is connected to another repository since.')
  if (!isDeploying(work)) return takeAway(deps, held, job, work.kind)
  const pushed = pushedCommit(job, work)
  if (!pushed) return end('failed', 'The delivery names no branch.')
  const pullRequest = job.pullRequest ?? undefined
  if (pushed.branch !== null && pullRequest !== undefined)
    await reopenBranch(db, { projectId: job.projectId, branch: pushed.branch, number: pullRequest })
  const deployer = await deployerOf(db, repository, work, job)
  if (typeof deployer === 'string') return end('failed', deployer)
  try {
    const outcome = await deploy(deps, held, { repository, deployer, pushed, pullRequest, work }, signal)
    if (signal.aborted) return giveBackDelivery(db, held)
    if (outcome === undefined) return
    if (outcome.retry) await postpone(outcome.why)
    else await end(outcome.status, outcome.why)
  } catch (error) {
    if (signal.aborted) return giveBackDelivery(db, held)
    if (error instanceof LostDelivery) return
    if (!(error instanceof AppError) || error.code === 'INTERNAL_SERVER_ERROR') {
      await postpone('The server failed at it.')
      throw error
    }
    const why = [error.message, ...(error.issues ?? []).map(({ path, message }) => `${path}: ${message}.`)]
    if (passing.has(error.reason)) await postpone(error.message)
    else await end('failed', [...new Set(why)].join(' '))
  }
}

/** The commit of a push; nothing goes by the name of a fork's branch. */
function pushedCommit({ branch, commit }: Job, { kind }: Deploying): PushedCommit | undefined {
  if (kind === 'deploy_fork') return commit === null ? undefined : { branch: null, commit }
  return branch === null ? undefined : { branch, commit: commit ?? undefined }
}

type Target = {
  repository: KnownRepository
  deployer: Deployer
  pushed: PushedCommit
  pullRequest: number | undefined
  work: Deploying
}

type Outcome = { retry: true; why: string } | { retry: false; status: 'done' | 'failed'; why: string }

/** Undefined where the outcome is noted already, with the deployment. */
async function deploy(
  deps: DeployDeps,
  held: Held,
  { repository, deployer, pushed, pullRequest, work }: Target,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { projectId } = repository
  const report = async (tx: Database, deploymentId: string, commit: string) => {
    if (repository.tokenSealed === null) return
    const nowMs = deps.nowMs()
    await openReport(tx, { deploymentId, projectId, commit, pullRequest, nowMs })
  }
  const { branch, commit } = pushed
  if (branch !== null && commit !== undefined) {
    const known = await findDeployed(deps.store.db, { projectId, branch, commit })
    if (known !== undefined)
      return deps.store.transact(async (tx) => {
        const at = { projectId, branch, number: pullRequest, deploymentId: known }
        const isRestored = await useAgain(tx, at, deps.nowMs())
        if (isRestored === undefined) return { retry: true, why: `${known} was deleted at that moment.` }
        await report(tx, known, commit)
        const address = isRestored ? ' The branch has its address again.' : ''
        return { retry: false, status: 'done', why: `${known} is of this commit already.${address}` }
      })
  }
  const deployed = await deployCommit(
    deps,
    repository,
    {
      ...pushed,
      pullRequest,
      meta: work.kind === 'fetch' ? { repository: repository.url } : work.meta,
      deployer,
      note: async (tx, { id, commit: fetched, outcome }) => {
        // Later than the deployment's time: followers of the log have seen what is older than a second.
        const end = { status: 'done', outcome, deploymentId: id, commit: fetched } as const
        if (!(await endDelivery(tx, held, { ...end, nowMs: deps.nowMs() }))) throw new LostDelivery()
        await report(tx, id, fetched)
      },
    },
    signal,
  )
  if ('made' in deployed) return undefined
  const { why, retry } = deployed
  return retry ? { retry, why } : { retry, status: 'failed', why }
}
