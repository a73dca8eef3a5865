/** Finds the manifest of a deployment. */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { type Scope, sees } from '../callers/scope.ts'
import { deploymentNotFound } from './read-deployment.ts'

const byId = prepared((db) =>
  db
    .select({
      served: deployments.manifestId,
      sources: deployments.sourceManifestId,
      liveId: projects.productionDeploymentId,
      projectId: deployments.projectId,
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(and(eq(deployments.teamId, sql.placeholder('teamId')), eq(deployments.id, sql.placeholder('id'))))
    .prepare('manifest_of_deployment'),
)

/**
 * The manifest of what the deployment serves, if the caller sees it; of its sources where it serves nothing.
 * `liveId` is the live deployment of its project.
 * @throws AppError `deployment_not_found`.
 */
export async function findManifest(
  lookUps: Database,
  scope: Scope,
  id: string,
): Promise<{ manifestId: number | null; liveId: string | null }> {
  const [found] = await byId(lookUps).execute({ teamId: scope.teamId, id })
  if (!found || !sees(scope, found.projectId)) throw deploymentNotFound(id)
  return { manifestId: found.served ?? found.sources, liveId: found.liveId }
}
