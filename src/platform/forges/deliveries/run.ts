/** Does what a delivery of a forge asks for. */
import { AppError, type Reason } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import type { Deployer } from '../../auth/actor.ts'
import { removeBranchAddress } from '../../deployments/branch-address.ts'
import { removeBranch } from '../../git/branches.ts'
import { beginAfterClosed, closePullRequest, reopenBranch, useAgain } from '../closed/close.ts'
import { findRepository, type KnownRepository } from '../find-repository.ts'
import { openReport } from '../reports/open.ts'
import type { Job } from './claim.ts'
import { type DeployDeps, deployCommit, findDeployed } from './deploy.ts'
import { endDelivery, maxAttempts, postponeDelivery } from './end.ts'
import { type Work, workSchema } from './work.ts'

/** Refusals that pass. */
const passing: ReadonlySet<Reason> = new Set([
  'too_many_queued',
  'too_many_waiting',
  'rate_limited',
  'storage_quota',
  'store_unavailable',
  'builds_not_available',
  'request_timeout',
  'stopping',
])

/**
 * Runs one claimed delivery and notes what came of it, for as long as it is this worker's. Once `signal`
 * aborts nothing is noted: another worker takes it.
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
    await endDelivery(db, held, { status, outcome, nowMs: deps.nowMs() })
  }
  if (job.attempts > maxAttempts) return end('failed', `Given up after ${maxAttempts} attempts.`)
  const work = workSchema.parse(job.work)
  const repository = await findRepository(db, job.projectId)
  if (!repository) return end('done', 'The project is connected to no repository any more.')
  if (job.branch === null) return end('failed', 'The delivery names no branch.')
  const at = { projectId: job.projectId, branch: job.branch }
  const pullRequest = job.pullRequest ?? undefined
  if (work.kind === 'remove') return remove(deps, held, at)
  if (work.kind === 'close') return close(deps, held, { ...at, number: pullRequest })
  if (pullRequest !== undefined) await reopenBranch(db, { ...at, number: pullRequest })
  if (repository.userId === null)
    return end(
      'failed',
      'Who connected the repository left the team or the project: an owner saves git.url again.',
    )
  const pushed = { branch: job.branch, commit: job.commit ?? '', pullRequest, work }
  try {
    const outcome = await deploy(deps, held, { repository, userId: repository.userId, ...pushed }, signal)
    if (outcome === undefined || signal.aborted) return
    if (outcome.retry) await postponeDelivery(db, held, { why: outcome.why, nowMs: deps.nowMs() })
    else await end(outcome.status, outcome.why)
  } catch (error) {
    if (signal.aborted || error instanceof LostDelivery) return
    if (!(error instanceof AppError) || error.code === 'INTERNAL_SERVER_ERROR') throw error
    const why = [error.message, ...(error.issues ?? []).map(({ path, message }) => `${path}: ${message}.`)]
    if (passing.has(error.reason))
      await postponeDelivery(db, held, { why: error.message, nowMs: deps.nowMs() })
    else await end('failed', [...new Set(why)].join(' '))
  }
}

type Held = { id: string; worker: string; attempts: number }

type Target = {
  repository: KnownRepository
  userId: string
  branch: string
  commit: string
  pullRequest: number | undefined
  work: Extract<Work, { kind: 'deploy' }>
}

type Outcome = { retry: true; why: string } | { retry: false; status: 'done' | 'failed'; why: string }

/** Another worker has the delivery. */
class LostDelivery extends Error {}

/** Undefined where the outcome is noted already, with the deployment. */
async function deploy(
  deps: DeployDeps,
  held: Held,
  { repository, userId, branch, commit, pullRequest, work }: Target,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { projectId, teamId, provider } = repository
  const known = await findDeployed(deps.store.db, { projectId, branch, commit })
  const report = (tx: Database, deploymentId: string) =>
    openReport(tx, { deploymentId, projectId, commit, pullRequest, nowMs: deps.nowMs() })
  const isReported = repository.tokenSealed !== null
  if (known !== undefined)
    return deps.store.transact(async (tx) => {
      const at = { projectId, branch, number: pullRequest, deploymentId: known }
      const isRestored = await useAgain(tx, at, deps.nowMs())
      if (isRestored === undefined) return { retry: true, why: `${known} was deleted at that moment.` }
      if (isReported) await report(tx, known)
      const address = isRestored ? ' The branch has its address again.' : ''
      return { retry: false, status: 'done', why: `${known} is of this commit already.${address}` }
    })
  await beginAfterClosed(deps.store.db, { projectId, branch }, deps.nowMs())
  const principal = { kind: 'forge', forge: provider, userId, teamId, projects: [projectId] } as const
  const deployer: Deployer = { principal, ...work.from }
  const deployed = await deployCommit(
    deps,
    repository,
    {
      branch,
      commit,
      meta: work.meta,
      deployer,
      note: async (tx, { id, created_ms }) => {
        const end = { status: 'done', outcome: 'Deployed.', deploymentId: id, nowMs: created_ms } as const
        if (!(await endDelivery(tx, held, end))) throw new LostDelivery()
        if (isReported) await report(tx, id)
      },
    },
    signal,
  )
  if ('made' in deployed) return undefined
  const { why, retry } = deployed
  return retry ? { retry, why } : { retry, status: 'failed', why }
}

/** The address of a branch that is gone goes with it; its deployments stay. */
async function remove(
  { store, nowMs }: DeployDeps,
  held: Held,
  { projectId, branch }: { projectId: string; branch: string },
): Promise<void> {
  await store.transact(async (tx) => {
    const end = { status: 'done', outcome: 'The address of the branch is gone.', nowMs: nowMs() } as const
    if (!(await endDelivery(tx, held, end))) return
    await removeBranchAddress(tx, { projectId, branch }, nowMs())
    await removeBranch(tx, { projectId, name: branch })
  })
}

type Closed = { projectId: string; branch: string; number: number | undefined }

/** The address of the branch goes, and in time its deployments. */
async function close(
  { store, nowMs: now }: DeployDeps,
  held: Held,
  { projectId, branch, number }: Closed,
): Promise<void> {
  const nowMs = now()
  const closing = store.transact(async (tx) => {
    if (number === undefined) throw new Error('A closed pull request has no number.')
    const outcome = await closePullRequest(tx, { projectId, branch, number }, nowMs)
    if (!(await endDelivery(tx, held, { status: 'done', outcome, nowMs }))) throw new LostDelivery()
  })
  await closing.catch((error: unknown) => {
    if (!(error instanceof LostDelivery)) throw error
  })
}
