/** Deletes expired previews. */
import { and, asc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { removeDeployments } from './delete-deployment.ts'
import { deploymentEvent } from './deployment-event.ts'
import { ownColumns, projectColumns, toRecord } from './read-deployment.ts'
import { stateSchema } from './state.ts'

const dayMs = 24 * 60 * 60 * 1000
const perRound = 100
const againMs = 60_000

type Deps = SiteUrls & { store: Store; nowMs: number }

/**
 * Deletes up to 100 previews past their project's `preview_ttl_days`. One that is or was live is kept, since
 * it can be rolled back to. Returns how many: 0 when none is left.
 */
export async function expirePreviews(deps: Deps): Promise<number> {
  let round: { due: number; removed: number }
  do round = await expireDue(deps)
  while (round.removed === 0 && round.due === perRound)
  return round.removed
}

/** Checks only projects that may have an expired preview; `due` is how many. */
async function expireDue(deps: Deps): Promise<{ due: number; removed: number }> {
  const { store, nowMs } = deps
  return store.transact(async (tx) => {
    const due = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(isNotNull(projects.previewTtlDays), lte(projects.previewsDueMs, nowMs)))
      .orderBy(asc(projects.previewsDueMs))
      .limit(perRound)
      .for('no key update', { skipLocked: true })
    if (due.length === 0) return { due: 0, removed: 0 }
    const ofDue = inArray(
      projects.id,
      due.map(({ id }) => id),
    )
    const expired = await tx
      .select({ teamId: deployments.teamId, projectId: projects.id, ...ownColumns, ...projectColumns })
      .from(projects)
      .innerJoin(deployments, eq(deployments.projectId, projects.id))
      .where(
        and(
          ofDue,
          isPreview,
          inArray(deployments.state, ['ready', 'error', 'canceled']),
          sql`${deployments.createdMs} < ${nowMs}::bigint - ${projects.previewTtlDays} * ${dayMs}::bigint`,
        ),
      )
      .limit(perRound)
      .for('update', { of: deployments, skipLocked: true })
    if (expired.length > 0) {
      await removeDeployments(
        tx,
        expired.map(({ id }) => id),
        nowMs,
      )
      const happened = expired.map(({ teamId, projectId, ...row }) =>
        deploymentEvent('deleted', { teamId, projectId }, toRecord(deps, { ...row, live: false })),
      )
      await recordEvents(tx, { origin: null, nowMs }, happened)
    }
    // Expired previews that couldn't be deleted are being built, or changed by somebody else.
    const pastMs = expired.length > 0 ? nowMs : nowMs + againMs
    await tx
      .update(projects)
      .set({
        previewsDueMs: sql`(
          select case when next.ms < ${nowMs}::bigint then ${pastMs}::bigint else next.ms end
          from (select ${nextDueMs(nowMs)} as ms) as next)`,
      })
      .where(ofDue)
    return { due: due.length, removed: expired.length }
  })
}

const isPreview = and(eq(deployments.target, 'preview'), isNull(deployments.liveSinceMs))

/** When a project's oldest preview expires; new ones expire later. */
function nextDueMs(nowMs: number): SQL {
  const states = sql.join(
    stateSchema.options.map((state) => sql`(${state}::text)`),
    sql`, `,
  )
  return sql`coalesce((
      select min(oldest.created_ms) from (values ${states}) as states (state) cross join lateral (
        select created_ms from ${deployments}
        where project_id = ${projects}.id and ${isPreview} and state = states.state
        order by created_ms limit 1
      ) as oldest), ${nowMs}::bigint) + ${projects.previewTtlDays} * ${dayMs}::bigint`
}
