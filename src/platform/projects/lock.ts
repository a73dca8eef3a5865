/** Locks a project while something is attached to it. */
import { and, eq } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { type Scope, sees } from '../callers/scope.ts'
import { projectNotFound } from './read-project.ts'

/**
 * Keeps the project of this name or id that the caller sees from being deleted until the transaction ends,
 * and resolves to its id.
 * @throws AppError `project_not_found`.
 */
export async function holdProject(tx: Database, scope: Scope, reference: string): Promise<string> {
  const column = isId('project', reference) ? projects.id : projects.name
  const [project] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.teamId, scope.teamId), eq(column, reference)))
    .for('key share')
  if (!project || !sees(scope, project.id)) throw projectNotFound(reference)
  return project.id
}
