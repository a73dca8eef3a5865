/** Reports the state of a deployment to the forge of its commit. */
import { and, desc, eq, isNotNull, or } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { hosts } from '../../../stores/db/schema/hosts.ts'
import { forgeReports } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import { siteUrl } from '../../projects/host-label.ts'
import { openRepositorySecret } from '../../projects/repository.ts'
import type { ForgeFetch } from '../api/forge-fetch.ts'
import type { Outcome } from '../api/outcome.ts'
import { findRepository } from '../find-repository.ts'
import type { ReportJob } from './claim-report.ts'
import { createForgeClient } from './client.ts'
import { commentOf, commitState, markerOf, statusOf } from './text.ts'

export type ReportDeps = {
  store: Store
  sitesUrl: string
  /** Where links for people lead; undefined while, or where, that is unknown. */
  apiUrl: () => string | undefined
  envKey: Buffer
  /** The way to the forge at this address. */
  fetchFor: (url: string) => ForgeFetch
  nowMs: () => number
}

/** How long the next attempt waits, by the attempts so far; after the last one there is none. */
const waitsMs = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000]

/** Sends what the forge doesn't know yet, and notes what became of it. */
export async function runReport(deps: ReportDeps, worker: string, job: ReportJob): Promise<void> {
  const { db } = deps.store
  const report = await send(deps, job)
  const nowMs = deps.nowMs()
  const isLast = commitState(job.state) !== 'pending'
  if (report.result === 'done')
    return note(db, worker, job, {
      reported: commitState(job.state),
      problem: null,
      attempts: 0,
      dueMs: nowMs,
      open: !isLast,
    })
  const waitMs = report.result === 'retry' ? (report.afterMs ?? waitsMs[job.attempts - 1]) : undefined
  const isOver = waitMs === undefined || job.attempts > waitsMs.length
  return note(db, worker, job, { problem: report.why, open: !isOver, dueMs: nowMs + (waitMs ?? 0) })
}

type Noted = Partial<typeof forgeReports.$inferInsert>

async function note(db: Database, worker: string, { id }: ReportJob, set: Noted): Promise<void> {
  await db
    .update(forgeReports)
    .set({ ...set, worker: null, leaseMs: 0 })
    .where(and(eq(forgeReports.deploymentId, id), eq(forgeReports.worker, worker)))
}

async function send(deps: ReportDeps, job: ReportJob): Promise<Outcome> {
  const { db } = deps.store
  const repository = await findRepository(db, job.projectId)
  if (!repository || repository.tokenSealed === null)
    return { result: 'given_up', why: 'The repository has no token to report with.' }
  const { provider, url, tokenSealed, projectId } = repository
  const token = openRepositorySecret(deps.envKey, { projectId, url, kind: 'token' }, tokenSealed)
  try {
    const client = createForgeClient({ provider, url, token, fetch: deps.fetchFor(url), nowMs: deps.nowMs })
    const places = await placesOf(deps, job)
    const status = await client.setStatus(statusOf(job, places))
    const { pullRequest: number } = job
    if (status.result !== 'done' || number === null || !(await isNewest(db, job))) return status
    return await client.putComment({ number, marker: markerOf(job), body: commentOf(job, places) })
  } catch (error) {
    if (error instanceof AppError) return { result: 'given_up', why: error.message }
    throw error
  }
}

/** The address of the branch or pull request, where it has one: it stays when the next commit comes. */
async function placesOf({ store, sitesUrl, apiUrl }: ReportDeps, { id, host, project, team }: ReportJob) {
  const [lasting] = await store.db
    .select({ label: hosts.label })
    .from(hosts)
    .where(and(eq(hosts.deploymentId, id), or(isNotNull(hosts.branch), isNotNull(hosts.pullRequest))))
    .limit(1)
  const site = siteUrl(sitesUrl, lasting?.label ?? host)
  const api = apiUrl()
  const path = [team, project, 'deployments', id].map(encodeURIComponent).join('/')
  return { site, details: api === undefined ? site : `${api}/${path}` }
}

/** Whether no newer deployment is to have the comment. */
async function isNewest(db: Database, { projectId, pullRequest, id }: ReportJob): Promise<boolean> {
  if (pullRequest === null) return false
  const [newest] = await db
    .select({ id: forgeReports.deploymentId })
    .from(forgeReports)
    .where(and(eq(forgeReports.projectId, projectId), eq(forgeReports.pullRequest, pullRequest)))
    // Ids are in the order of time.
    .orderBy(desc(forgeReports.deploymentId))
    .limit(1)
  return newest?.id === id
}
