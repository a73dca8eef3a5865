/** Fails queued and running builds. */
import { eq, inArray, type SQL } from 'drizzle-orm'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { deploymentEvent } from '../event-data.ts'
import { ownColumns, projectColumns, toRecord } from '../read.ts'
import { type Held, isHeld, withoutWorker } from './held.ts'

/** Why there is no site: the reason is for programs, the message tells a person what to do. */
export type BuildError = {
  reason:
    | 'build_failed'
    | 'build_timeout'
    | 'build_out_of_memory'
    | 'worker_lost'
    | 'queue_timeout'
    | 'builds_not_available'
    | 'storage_quota'
  message: string
}

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/** Fails a build; false if the worker has lost it, and nothing has changed. */
export async function failBuild(deps: Deps, held: Held, error: BuildError): Promise<boolean> {
  return deps.store.transact(async (tx) => {
    const failed = await failWhere({ ...deps, tx }, isHeld(held), error)
    return failed > 0
  })
}

/** The most deployments per call. */
export const perRound = 100

/**
 * Fails up to 100 deployments that match the condition, skipping those that somebody else is changing;
 * resolves to how many.
 */
export async function failWhere(
  deps: Omit<Deps, 'store'> & { tx: Transaction },
  condition: SQL | undefined,
  { reason, message }: BuildError,
): Promise<number> {
  const { tx } = deps
  const nowMs = deps.nowMs()
  const rows = await tx
    .select({
      ...ownColumns,
      ...projectColumns,
      teamId: deployments.teamId,
      projectId: projects.id,
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(condition)
    .limit(perRound)
    .for('update', { of: deployments, skipLocked: true })
  if (rows.length === 0) return 0
  const ended = { state: 'error', error_reason: reason, error_message: message, ended_ms: nowMs } as const
  const ids = rows.map(({ id }) => id)
  await tx
    .update(deployments)
    .set({ state: 'error', errorReason: reason, errorMessage: message, endedMs: nowMs, ...withoutWorker })
    .where(inArray(deployments.id, ids))
  for (const id of ids) tx.announce({ kind: 'deployment', id })
  const happened = rows.map(({ teamId, projectId, ...row }) =>
    deploymentEvent('error', { teamId, projectId }, toRecord(deps, { ...row, ...ended, live: false })),
  )
  await recordEvents(tx, { origin: null, nowMs }, happened)
  return rows.length
}
