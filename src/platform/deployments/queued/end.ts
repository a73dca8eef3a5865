/** Ends builds without a result, queued and running ones. */
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { deployments, projects } from '../../../stores/db/schema/projects.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { type Origin, recordEvents } from '../../../stores/events/record-events.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { deploymentEvent } from '../deployment-event.ts'
import { ownColumns, projectColumns, toRecord } from '../read-deployment.ts'
import { withoutWorker } from './held.ts'

type Deps = SiteUrls & { tx: Transaction; nowMs: number; origin: Origin | null }

/** For programs, and for people. */
type Why = { reason: string; message: string; excerpt?: string[] }

/** `why` is of the deployment with this id; null where nobody has to be told. */
type End = { state: 'canceled'; why: (id: string) => Why | null } | { state: 'error'; why: () => Why }

/** The most deployments per call. */
export const perRound = 100

/**
 * Ends up to 100 deployments that match the condition, skipping those that somebody else is changing;
 * resolves to how many.
 */
export async function endWhere(deps: Deps, condition: SQL | undefined, { state, why }: End): Promise<number> {
  const { tx, nowMs, origin } = deps
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
  const ids = rows.map(({ id }) => id)
  const whys = new Map(ids.map((id) => [id, why(id)]))
  await tx
    .update(deployments)
    .set({
      state,
      errorReason: ofEach(whys, 'reason'),
      errorMessage: ofEach(whys, 'message'),
      errorExcerpt: excerptOfEach(whys),
      endedMs: nowMs,
      ...withoutWorker,
    })
    .where(inArray(deployments.id, ids))
  for (const id of ids) tx.announce({ kind: 'deployment', id })
  const happened = rows.map(({ teamId, projectId, ...row }) => {
    const { reason = null, message = null, excerpt = null } = whys.get(row.id) ?? {}
    const error = { error_reason: reason, error_message: message, error_excerpt: excerpt }
    const ended = { ...row, ...error, state, ended_ms: nowMs, live: false }
    return deploymentEvent(state, { teamId, projectId }, toRecord(deps, ended))
  })
  await recordEvents(tx, { origin, nowMs }, happened)
  return rows.length
}

function ofEach(whys: Map<string, Why | null>, field: 'reason' | 'message'): SQL<string | null> {
  const values = Object.fromEntries([...whys].map(([id, why]) => [id, why?.[field] ?? null]))
  return sql`${JSON.stringify(values)}::jsonb ->> ${deployments.id}`
}

function excerptOfEach(whys: Map<string, Why | null>): SQL<string[] | null> {
  const values = Object.fromEntries(
    [...whys].flatMap(([id, why]) => (why?.excerpt ? [[id, why.excerpt]] : [])),
  )
  return sql`${JSON.stringify(values)}::jsonb -> ${deployments.id}`
}
