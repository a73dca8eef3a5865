/** Deletes deployments of pull requests that were closed as many days ago as their project says. */
import { and, asc, eq, inArray, isNotNull, isNull, lte, notExists, or, type SQL, sql } from 'drizzle-orm'
import { hosts } from '../../../stores/db/schema/hosts.ts'
import { closedPullRequests } from '../../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { removeDeployments } from '../../deployments/delete-deployment.ts'
import { deploymentEvent } from '../../deployments/deployment-event.ts'
import { ownColumns, projectColumns, toRecord } from '../../deployments/read-deployment.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { isMadeForPullRequest } from './made-for.ts'

const perRound = 100

/** For one that is still being built, or changed by somebody else. */
const againMs = 60_000

type Deps = SiteUrls & { store: Store; nowMs: number }

/**
 * Deletes up to 100 deployments of pull requests that are due. One that is or was live, or has a branch's
 * address, is kept. Resolves to how many: 0 when none is left.
 */
export async function deleteClosed(deps: Deps): Promise<number> {
  let round: { due: number; removed: number }
  do round = await deleteDue(deps)
  while (round.removed === 0 && round.due === perRound)
  return round.removed
}

function deleteDue(deps: Deps): Promise<{ due: number; removed: number }> {
  const { store, nowMs } = deps
  return store.transact(async (tx) => {
    // With their projects, so that none of these deployments goes live or gets an address meanwhile.
    const due = await tx
      .select({ projectId: closedPullRequests.projectId, number: closedPullRequests.number })
      .from(closedPullRequests)
      .innerJoin(projects, eq(projects.id, closedPullRequests.projectId))
      .where(lte(closedPullRequests.dueMs, nowMs))
      .orderBy(asc(closedPullRequests.dueMs))
      .limit(perRound)
      .for('no key update', { skipLocked: true })
    if (due.length === 0) return { due: 0, removed: 0 }
    const ofDue = sql`(${closedPullRequests.projectId}, ${closedPullRequests.number}) in (${sql.join(
      due.map(({ projectId, number }) => sql`(${projectId}::text, ${number}::integer)`),
      sql`, `,
    )})`
    const { removed, isMore } = await removeOf(deps, tx, ofDue)
    if (!isMore) await endDue(tx, ofDue, nowMs)
    return { due: due.length, removed }
  })
}

async function removeOf(
  { nowMs, ...urls }: Deps,
  tx: Transaction,
  ofDue: SQL,
): Promise<{ removed: number; isMore: boolean }> {
  const ofBranches = await select(tx, and(ofDue, isOfBranch(tx)), perRound)
  const ofForks = await select(tx, and(ofDue, isOfFork(tx)), perRound - ofBranches.length)
  const found = [...ofBranches, ...ofForks]
  // A branch may have had several pull requests.
  const rows = [...new Map(found.map((row) => [row.id, row])).values()]
  if (rows.length === 0) return { removed: 0, isMore: false }
  await removeDeployments(
    tx,
    rows.map(({ id }) => id),
    nowMs,
  )
  const happened = rows.map(({ teamId, projectId, ...row }) =>
    deploymentEvent('deleted', { teamId, projectId }, toRecord(urls, { ...row, live: false })),
  )
  await recordEvents(tx, { origin: null, nowMs }, happened)
  return { removed: rows.length, isMore: found.length === perRound }
}

function select(tx: Transaction, which: SQL | undefined, limit: number) {
  return tx
    .select({
      teamId: deployments.teamId,
      projectId: deployments.projectId,
      ...ownColumns,
      ...projectColumns,
    })
    .from(closedPullRequests)
    .innerJoin(projects, eq(projects.id, closedPullRequests.projectId))
    .innerJoin(deployments, eq(deployments.projectId, closedPullRequests.projectId))
    .where(and(which, inArray(deployments.state, ['ready', 'error', 'canceled'])))
    .limit(limit)
    .for('update', { of: deployments, skipLocked: true })
}

/** Whether the deployment was made for the pull request, which is one of a branch of the repository. */
function isOfBranch(tx: Transaction): SQL | undefined {
  return and(
    sql`${deployments.meta} ->> 'branch' = ${closedPullRequests.branch}`,
    isMadeForPullRequest(sql`${closedPullRequests.number}::text`),
    isLeft(tx),
  )
}

/** Whether the deployment was made of a fork's commit. */
function isOfFork(tx: Transaction): SQL | undefined {
  return and(
    isNull(closedPullRequests.branch),
    sql`${deployments.meta} ->> 'pull_request' = ${closedPullRequests.number}::text`,
    sql`${deployments.untrusted}`,
    eq(deployments.target, 'preview'),
    eq(deployments.sourceKind, 'forge'),
    isLeft(tx),
  )
}

/** Whether the deployment was made before the pull request was closed, and nothing keeps it. */
function isLeft(tx: Transaction): SQL | undefined {
  const leading = tx
    .select({ label: hosts.label })
    .from(hosts)
    .where(
      and(eq(hosts.deploymentId, deployments.id), or(isNotNull(hosts.branch), isNotNull(hosts.pullRequest))),
    )
  return and(
    isNull(deployments.liveSinceMs),
    lte(deployments.createdMs, closedPullRequests.closedMs),
    notExists(leading),
  )
}

async function endDue(tx: Transaction, ofDue: SQL, nowMs: number): Promise<void> {
  const ofProject = eq(deployments.projectId, closedPullRequests.projectId)
  const left = (which: SQL | undefined) =>
    tx.select({ id: deployments.id }).from(deployments).where(and(ofProject, which))
  await tx
    .delete(closedPullRequests)
    .where(and(ofDue, notExists(left(isOfBranch(tx))), notExists(left(isOfFork(tx)))))
  await tx
    .update(closedPullRequests)
    .set({ dueMs: nowMs + againMs })
    .where(ofDue)
}
