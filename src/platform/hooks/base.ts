/** Which deployment a deploy hook has built again. */
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { productionBranchOf } from '../git/production-branch.ts'
import type { EnvTarget } from '../projects/env.ts'

/** The id of a deployment of the project, and the target of the next one. */
export type Base = { id: string; target: EnvTarget }

/**
 * Resolves to the live deployment, for production; for a branch, to its newest deployment that is ready,
 * trusted and whose sources are kept, and of these to one for the target to which the branch goes, if there
 * is any. That goes to production only where it was made for it and the branch is production's.
 * @throws AppError `nothing_to_rebuild`.
 */
export async function findBase(
  db: Database,
  { projectId, branch }: { projectId: string; branch: string | null },
): Promise<Base> {
  const base = branch === null ? await findLive(db, projectId) : await findNewest(db, projectId, branch)
  if (base) return base
  const what = branch === null ? 'in production' : `of the branch ${branch}`
  throw new AppError('nothing_to_rebuild', `There is nothing ${what} to build again: deploy it once.`)
}

async function findLive(db: Database, projectId: string): Promise<Base | undefined> {
  const [live] = await db
    .select({ id: projects.productionDeploymentId })
    .from(projects)
    .where(eq(projects.id, projectId))
  return live?.id ? { id: live.id, target: 'production' } : undefined
}

async function findNewest(db: Database, projectId: string, branch: string): Promise<Base | undefined> {
  // The index has those of each target in order.
  const newest = (target: EnvTarget) =>
    db
      .select({ id: deployments.id, target: deployments.target, createdMs: deployments.createdMs })
      .from(deployments)
      .where(
        and(
          eq(deployments.projectId, projectId),
          eq(sql`(${deployments.meta} ->> 'branch')`, branch),
          eq(deployments.target, target),
          eq(deployments.state, sql`'ready'`),
          eq(deployments.untrusted, false),
          hasSources,
        ),
      )
      .orderBy(desc(deployments.createdMs), desc(deployments.id))
      .limit(1)
  const isProduction = (await productionBranchOf(db, projectId, [])) === branch
  // A preview that names the branch, or one deployment of it to production, isn't what the branch has.
  const order = isProduction ? sql`target desc` : sql`target asc`
  const [found] = await unionAll(newest('production'), newest('preview'))
    // By name, of which the first is that of previews.
    .orderBy(order, sql`created_ms desc, id desc`)
    .limit(1)
  if (!found) return undefined
  return { id: found.id, target: isProduction ? found.target : 'preview' }
}

/** Those of a build from before sources were kept are gone. Which is one: see `needsWorker`. */
const hasSources = sql`case when ${deployments.build} ->> 'build_command' is null
    and ${deployments.build} ->> 'start' is null
  then ${isNotNull(deployments.manifestId)} else ${isNotNull(deployments.sourceManifestId)} end`
