/** Which branch of a project goes to production. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { projects } from '../../stores/db/schema/projects.ts'

/** Where none is settled. */
export const usualBranch = 'main'

/**
 * The production branch of a project to which branches of these names are pushed. Before one is settled it is
 * `main`, or where there is none the first branch.
 */
export async function productionBranchOf(db: Database, projectId: string, names: string[]): Promise<string> {
  const [project] = await db
    .select({ branch: projects.productionBranch })
    .from(projects)
    .where(eq(projects.id, projectId))
  if (project?.branch) return project.branch
  const [known] = await db
    .select({ name: branches.name })
    .from(branches)
    .where(and(eq(branches.projectId, projectId), eq(branches.name, usualBranch)))
  return known || names.includes(usualBranch) ? usualBranch : (names[0] ?? usualBranch)
}

/**
 * Settles the production branch, unless it is settled already: a first deployment of it is ready, or a forge
 * says that it is the default branch of the project's repository.
 */
export async function settleProductionBranch(db: Database, projectId: string, branch: string): Promise<void> {
  await db
    .update(projects)
    .set({ productionBranch: branch })
    .where(and(eq(projects.id, projectId), isNull(projects.productionBranch)))
}
