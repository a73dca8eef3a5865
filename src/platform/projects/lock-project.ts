/** Locks a project for a change of what belongs to it. */
import { and, eq } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { projectNotFound } from './read-project.ts'

export type NamedProject = { id: string; name: string }

/**
 * The team's project by its name or id, locked until the transaction ends.
 * @throws AppError `project_not_found`.
 */
export async function lockProject(
  tx: Database,
  { teamId }: { teamId: string },
  reference: string,
): Promise<NamedProject> {
  const column = isId('project', reference) ? projects.id : projects.name
  const [project] = await tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), eq(column, reference)))
    .for('no key update')
  if (!project) throw projectNotFound(reference)
  return project
}
