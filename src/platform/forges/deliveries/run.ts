/** Does what a delivery of a forge asks for. */
import { and, eq } from 'drizzle-orm'
import { AppError, type Reason } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { members } from '../../../stores/db/schema/teams.ts'
import type { Deployer } from '../../auth/actor.ts'
import { removeBranchAddress } from '../../deployments/branch-address.ts'
import { removePullRequestAddress } from '../../deployments/pull-request-address.ts'
import { cancelPullRequest } from '../../deployments/queued/cancel-pull-request.ts'
import { removeBranch } from '../../git/branches.ts'
import { findRepository, type KnownRepository } from '../find-repository.ts'
import { openReport } from '../reports/open.ts'
import type { Job } from './claim.ts'
import { type DeployDeps, deployCommit, findDeployed } from './deploy.ts'
import { endDelivery, maxAttempts, postponeDelivery } from './end.ts'
import { forksRefused, type Work, workSchema } from './work.ts'

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
  if (work.kind === 'remove') return remove(deps, held, job)
  if (work.kind === 'close') return close(deps, held, job)
  const deployed =
    work.kind === 'deploy' ? asConnected(repository, job) : await asApproved(db, repository, job)
  if ('refused' in deployed) return end('failed', deployed.refused)
  const pullRequest = job.pullRequest ?? undefined
  const target = { repository, ...deployed, commit: job.commit ?? '', pullRequest, work }
  try {
    const outcome = await deploy(deps, held, target, signal)
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

/** As whom a commit is deployed, and of which branch; a fork's is of none. */
type Deployed = { userId: string; branch: string | null } | { refused: string }

function asConnected({ userId }: KnownRepository, { branch }: Job): Deployed {
  if (branch === null) return { refused: 'The delivery names no branch.' }
  if (userId !== null) return { userId, branch }
  return {
    refused: 'Who connected the repository left the team or the project: an owner saves git.url again.',
  }
}

/** The approval counts for as long as who gave it is an owner. */
async function asApproved(
  db: Database,
  { teamId, takesForks }: KnownRepository,
  { approvedBy }: Job,
): Promise<Deployed> {
  if (!takesForks || approvedBy === null) return { refused: forksRefused }
  const [approver] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.teamId, teamId), eq(members.userId, approvedBy)))
  if (approver?.role === 'owner') return { userId: approvedBy, branch: null }
  return { refused: 'Who approved it is no owner of the team any more.' }
}

type Target = {
  repository: KnownRepository
  userId: string
  branch: string | null
  commit: string
  pullRequest: number | undefined
  work: Extract<Work, { kind: 'deploy' | 'deploy_fork' }>
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
  const known = branch === null ? undefined : await findDeployed(deps.store.db, { projectId, branch, commit })
  const report = (tx: Database, deploymentId: string) =>
    openReport(tx, { deploymentId, projectId, commit, pullRequest, nowMs: deps.nowMs() })
  const isReported = repository.tokenSealed !== null
  if (known !== undefined) {
    if (isReported) await report(deps.store.db, known)
    return { retry: false, status: 'done', why: `${known} is of this commit already.` }
  }
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
async function remove({ store, nowMs }: DeployDeps, held: Held, { projectId, branch }: Job): Promise<void> {
  await store.transact(async (tx) => {
    const end = { status: 'done', outcome: 'The address of the branch is gone.', nowMs: nowMs() } as const
    if (!(await endDelivery(tx, held, end)) || branch === null) return
    await removeBranchAddress(tx, { projectId, branch }, nowMs())
    await removeBranch(tx, { projectId, name: branch })
  })
}

/** With a pull request of a fork go its address and what isn't built yet; deployments stay. */
async function close(deps: DeployDeps, held: Held, { projectId, pullRequest }: Job): Promise<void> {
  const nowMs = deps.nowMs()
  await deps.store.transact(async (tx) => {
    const outcome = 'The address of the pull request is gone, if it had one.'
    const isEnded = await endDelivery(tx, held, { status: 'done', outcome, nowMs })
    if (!isEnded || pullRequest === null) return
    // First, since it locks the project: nothing becomes ready from here on.
    await removePullRequestAddress(tx, { projectId, number: pullRequest }, nowMs)
    await cancelPullRequest({ ...deps, tx, nowMs, origin: null }, { projectId, number: pullRequest })
  })
}
