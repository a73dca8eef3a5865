/** Makes a deployment its project's production: one atomic write of one pointer. */
import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { type Scope, sees } from '../callers/scope.ts'
import type { Remember } from '../idempotency/once.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { promotedEvent } from './deployment-event.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { notTrusted } from './find-sources.ts'
import { deploymentNotFound, ownColumns, projectColumns, toRecord } from './read-deployment.ts'

/**
 * Promotes a ready deployment, also an older one. For a live one nothing changes. The next request to this
 * node gets it.
 * @throws AppError `deployment_not_found`, `not_ready`, `untrusted`.
 */
export async function promoteDeployment(
  deps: SiteUrls & { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
  remember?: Remember,
): Promise<DeploymentRecord> {
  const { teamId } = actor.principal
  return deps.store.transact(async (tx) => {
    const { projectId, liveId, deployment } = await lockWithProject(tx, actor.principal, id)
    if (deployment.state !== 'ready') {
      throw new AppError(
        'not_ready',
        `The deployment is ${deployment.state}; only one that is ready can be promoted.`,
      )
    }
    if (deployment.untrusted) throw notTrusted('promoted')
    const nowMs = deps.nowMs()
    if (!deployment.live) {
      await makeLive(tx, { id, projectId }, nowMs, { promotedByHandMs: nowMs })
      tx.announce({ kind: 'project', id: projectId })
    }
    const live_since_ms = deployment.live ? deployment.live_since_ms : nowMs
    const record = toRecord(deps, { ...deployment, live: true, live_since_ms })
    if (!deployment.live) {
      const rollback = deployment.live_since_ms !== null
      const event = promotedEvent({ teamId, projectId }, record, { previous: liveId, rollback })
      await recordEvents(tx, { origin: originOf(actor), nowMs }, [event])
    }
    await remember?.(tx, record)
    return record
  })
}

/**
 * Locks the project of a deployment and reads both, so that promotions and deletions in one project are
 * serialized.
 * @throws AppError `deployment_not_found`.
 */
export async function lockWithProject(tx: Database, scope: Scope, id: string) {
  const ofTeam = and(eq(deployments.teamId, scope.teamId), eq(deployments.id, id))
  const owner = tx.select({ id: deployments.projectId }).from(deployments).where(ofTeam)
  const [project] = await tx
    .select({ projectId: projects.id, liveId: projects.productionDeploymentId, ...projectColumns })
    .from(projects)
    .where(eq(projects.id, sql`(${owner})`))
    .for('no key update')
  const [deployment] = await tx.select(ownColumns).from(deployments).where(ofTeam).for('update')
  if (!project || !deployment || !sees(scope, project.projectId)) throw deploymentNotFound(id)
  const { projectId, liveId, ...ofProject } = project
  return { projectId, liveId, deployment: { ...deployment, ...ofProject, live: liveId === id } }
}

/**
 * Promotes a new production deployment, unless the project doesn't promote automatically, a newer one is
 * live, or somebody promoted manually after it was created. Resolves to what was live before, if it did.
 */
export async function promoteByItself(
  tx: Database,
  projectId: string,
  { id, createdMs }: { id: string; createdMs: number },
  nowMs: number,
): Promise<{ previous: string | null } | false> {
  // The lock allows references to the project, which every new deployment inserts before it comes here:
  // otherwise two of them would deadlock. What is live is read after locking, in a separate statement: one
  // statement would wait for a concurrent promotion, and then compare with the state before it.
  const [project] = await tx
    .select()
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update')
    .prepare('project_to_promote_in')
    .execute()
  if (!project?.autoPromote || project.promotedByHandMs > createdMs) return false
  const [newer] = await tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.id, project.productionDeploymentId ?? ''),
        sql`(${deployments.createdMs}, ${deployments.id}) > (${createdMs}::bigint, ${id}::text)`,
      ),
    )
    .prepare('newer_production')
    .execute()
  if (newer) return false
  await makeLive(tx, { id, projectId }, nowMs).prepare('make_live').execute()
  return { previous: project.productionDeploymentId }
}

/** The statement that makes the deployment its project's production, and records since when. */
function makeLive(
  tx: Database,
  { id, projectId }: { id: string; projectId: string },
  nowMs: number,
  more: { promotedByHandMs?: number } = {},
) {
  const live = tx
    .$with('live')
    .as(
      tx
        .update(deployments)
        .set({ liveSinceMs: nowMs })
        .where(eq(deployments.id, id))
        .returning({ id: deployments.id }),
    )
  return tx
    .with(live)
    .update(projects)
    .set({ productionDeploymentId: id, ...more })
    .where(eq(projects.id, projectId))
}
