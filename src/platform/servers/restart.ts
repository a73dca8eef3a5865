/** Restarts of a project's servers: every node stops what was started before. */
import { and, eq, gt, sql } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { servers } from '../../stores/db/schema/servers.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdCaller } from '../callers/hold-caller.ts'
import { isSeen } from '../callers/scope.ts'
import { projectNotFound } from '../projects/read-project.ts'
import type { Restarted } from './ps-output.ts'

/**
 * Has the project's servers stop, on every node, as soon as they have answered what they are at; the next
 * request starts them again. `servers` says how many ran.
 * @throws AppError `project_not_found`; as `holdCaller` does.
 */
export async function restartServers(
  { store, nowMs: now }: { store: Store; nowMs: () => number },
  actor: Actor,
  { project: reference }: { project: string },
): Promise<Restarted> {
  const { principal } = actor
  return store.transact(async (tx) => {
    await holdCaller(tx, principal)
    const nowMs = now()
    const column = isId('project', reference) ? projects.id : projects.name
    const [project] = await tx
      .update(projects)
      .set({ restartedMs: sql`greatest(${projects.restartedMs}, ${nowMs}::bigint)` })
      .where(
        and(eq(projects.teamId, principal.teamId), eq(column, reference), isSeen(principal, projects.id)),
      )
      .returning({ id: projects.id, name: projects.name, restartedMs: projects.restartedMs })
    if (!project) throw projectNotFound(reference)
    const { id } = project
    const running = await tx
      .select({ deploymentId: servers.deploymentId })
      .from(servers)
      .innerJoin(deployments, eq(deployments.id, servers.deploymentId))
      .where(and(eq(deployments.projectId, id), gt(servers.leaseUntilMs, sql`(select ${databaseMs})`)))
    const event = { type: 'server.restarted', data: { project: { id, name: project.name } } } as const
    await recordEvents(tx, { origin: originOf(actor), nowMs }, [
      { ...event, teamId: principal.teamId, projectId: id },
    ])
    tx.announce({ kind: 'project', id })
    return { project: project.name, restarted_ms: project.restartedMs, servers: running.length }
  })
}
