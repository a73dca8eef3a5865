/** The servers that run, on any node, as members see them. */
import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { databaseMs } from '../../stores/db/database-clock.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { servers } from '../../stores/db/schema/servers.ts'
import type { Store } from '../../stores/db/store.ts'
import { isSeen, type Scope } from '../callers/scope.ts'
import { findProjectId } from '../projects/read-project.ts'
import type { RunningServer } from './ps-output.ts'

/** The most rows of an answer. */
const maxRows = 1_000

/** The condition for rows whose lease goes on, in a form for which an index is used. */
const isLeased = gt(servers.leaseUntilMs, sql`(select ${databaseMs})`)

/**
 * The servers that run, or try to, by project, target, deployment and node: those that the caller sees, of
 * one project or of all, at most 1,000.
 * @throws AppError `project_not_found`.
 */
export async function listServers(
  { store }: { store: Store },
  scope: Scope,
  { project }: { project?: string | undefined },
): Promise<{ data: RunningServer[] }> {
  const projectId = project === undefined ? undefined : await findProjectId(store.lookUps, scope, project)
  const ofProject = projectId === undefined ? undefined : eq(deployments.projectId, projectId)
  const rows = await serversQuery(store.db, scope, ofProject)
  return { data: rows.flatMap(({ state, ...row }) => (state === 'stopped' ? [] : [{ ...row, state }])) }
}

/** The query for the rows of a team that the caller sees, and that match. */
function serversQuery(db: Database, scope: Scope, matching?: SQL) {
  return (
    db
      .select({
        project: projects.name,
        deployment: servers.deploymentId,
        target: servers.target,
        live: sql<boolean>`${projects.productionDeploymentId} is not distinct from ${deployments.id}`,
        node: servers.node,
        state: servers.state,
        since_ms: servers.sinceMs,
        memory_bytes: servers.memoryBytes,
        restarts: servers.restarts,
      })
      .from(servers)
      .innerJoin(deployments, eq(deployments.id, servers.deploymentId))
      .innerJoin(projects, eq(projects.id, deployments.projectId))
      .where(
        and(eq(deployments.teamId, scope.teamId), isLeased, isSeen(scope, deployments.projectId), matching),
      )
      // Production first.
      .orderBy(asc(projects.name), desc(servers.target), asc(servers.deploymentId), asc(servers.node))
      .limit(maxRows)
  )
}
