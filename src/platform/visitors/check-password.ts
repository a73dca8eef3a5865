/** The password of a project, which opens its protected sites. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { verifySitePassword } from '../people/password.ts'
import { accessVersion } from '../projects/access-version.ts'

/**
 * The project's version of access if this is its password; undefined if it isn't, or there is none.
 * @throws AppError `sign_in_unavailable` when too many are waiting.
 */
export async function openWithPassword(
  db: Database,
  { projectId, password }: { projectId: string; password: string },
): Promise<number | undefined> {
  const [project] = await db
    .select({ hash: projects.passwordHash, accessVersion })
    .from(projects)
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .where(eq(projects.id, projectId))
  if (!project || project.hash === null) return undefined
  return (await verifySitePassword({ hash: project.hash, password })) ? project.accessVersion : undefined
}
