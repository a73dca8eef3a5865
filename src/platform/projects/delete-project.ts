/** Deletes a project with everything that belongs to it. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import { branchEnv } from '../../stores/db/schema/branch-env.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { manifests } from '../../stores/db/schema/manifests.ts'
import { trafficGone } from '../../stores/db/schema/metrics.ts'
import { deployments, projectEnv, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { detachProject } from '../zones/claims/detach-project.ts'
import { releaseLabels } from './free-labels.ts'
import { projectNotFound } from './read-project.ts'

/**
 * Deletes the project, its deployments, environment and hosts and detaches its domains in one transaction;
 * manifests, blobs and traffic counts are collected later, and running builds are stopped. The labels stay
 * reserved for the team.
 * @throws AppError `project_not_found`.
 */
export async function deleteProject(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  reference: string,
): Promise<{ id: string; deleted: true }> {
  const { teamId } = actor.principal
  const column = isId('project', reference) ? projects.id : projects.name
  const id = await store.transact(async (tx) => {
    const [project] = await tx
      .select({ id: projects.id, name: projects.name })
      .from(projects)
      .where(and(eq(projects.teamId, teamId), eq(column, reference)))
      .for('update')
    if (!project) throw projectNotFound(reference)
    const { id } = project
    await tx.update(projects).set({ productionDeploymentId: null }).where(eq(projects.id, id))
    await releaseLabels(tx, eq(hosts.projectId, id), nowMs())
    await tx.update(hosts).set({ projectId: null }).where(eq(hosts.projectId, id))
    await detachProject(tx, id, nowMs())
    await tx.delete(projectEnv).where(eq(projectEnv.projectId, id))
    await tx.delete(branchEnv).where(eq(branchEnv.projectId, id))
    await tx.delete(branches).where(eq(branches.projectId, id))
    const owned = sql`(
      select manifest_id from ${deployments} where project_id = ${id}
      union all select source_manifest_id from ${deployments} where project_id = ${id}
      union all select server_manifest_id from ${deployments} where project_id = ${id})`
    await tx.update(manifests).set({ releasedMs: nowMs() }).where(inArray(manifests.id, owned))
    await tx.delete(deployments).where(eq(deployments.projectId, id))
    await tx.delete(projects).where(eq(projects.id, id))
    await tx.insert(trafficGone).values({ scopeId: id, goneMs: nowMs() })
    tx.announce({ kind: 'project', id })
    await recordEvents(tx, { origin: originOf(actor), nowMs: nowMs() }, [
      { teamId, type: 'project.deleted', projectId: id, data: { project } },
    ])
    return id
  })
  return { id, deleted: true }
}
