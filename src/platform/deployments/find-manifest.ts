/** Finds the manifest of a deployment. */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { deploymentNotFound } from './read.ts'

const byId = prepared((db) =>
  db
    .select({
      served: deployments.manifestId,
      sources: deployments.sourceManifestId,
      liveId: projects.productionDeploymentId,
    })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(and(eq(deployments.teamId, sql.placeholder('teamId')), eq(deployments.id, sql.placeholder('id'))))
    .prepare('manifest_of_deployment'),
)

/**
 * The manifest of what the team's deployment serves; of its sources where it serves nothing. `liveId` is the
 * live deployment of its project.
 * @throws AppError `deployment_not_found`.
 */
export async function findManifest(
  lookUps: Database,
  teamId: string,
  id: string,
): Promise<{ manifestId: number | null; liveId: string | null }> {
  const [found] = await byId(lookUps).execute({ teamId, id })
  if (!found) throw deploymentNotFound(id)
  return { manifestId: found.served ?? found.sources, liveId: found.liveId }
}
