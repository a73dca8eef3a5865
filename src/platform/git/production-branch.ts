/** Which branch of a project goes to production. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { projects } from '../../stores/db/schema/projects.ts'

const usual = 'main'

type Pushed = {
  projectId: string
  name: string
  /** All branches of the push, in its order. */
  names: string[]
}

/**
 * Whether a pushed branch is the production branch. The first push decides which that is: `main`, or without
 * one the first branch.
 */
export async function isProduction(db: Database, { projectId, name, names }: Pushed): Promise<boolean> {
  const [project] = await db
    .select({ branch: projects.productionBranch })
    .from(projects)
    .where(eq(projects.id, projectId))
  if (!project) return false
  if (project.branch !== null) return project.branch === name
  const [known] = await db
    .select({ name: branches.name })
    .from(branches)
    .where(and(eq(branches.projectId, projectId), eq(branches.name, usual)))
  const first = known || names.includes(usual) ? usual : (names[0] ?? usual)
  await db
    .update(projects)
    .set({ productionBranch: first })
    .where(and(eq(projects.id, projectId), isNull(projects.productionBranch)))
  const [decided] = await db
    .select({ branch: projects.productionBranch })
    .from(projects)
    .where(eq(projects.id, projectId))
  return decided?.branch === name
}
