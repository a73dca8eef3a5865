/** The repository that a project is connected to. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { type Forge, projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members } from '../../stores/db/schema/teams.ts'
import { limitedTo } from '../auth/look-ups/limited-to.ts'
import { sees } from '../auth/scope.ts'

/** Token and secret as they are stored. `rootDirectory` is null for all of the repository. */
export type KnownRepository = {
  teamId: string
  projectId: string
  provider: Forge
  url: string
  rootDirectory: string | null
  skipUnchanged: boolean
  /** Whether pull requests of forks are deployed once an owner has approved them. */
  takesForks: boolean
  tokenSealed: string | null
  secretSealed: string | null
  /** Who connected it, in whose name it deploys; null once that person doesn't see the project any more. */
  userId: string | null
}

/** Undefined where the project is connected to none. */
export async function findRepository(db: Database, projectId: string): Promise<KnownRepository | undefined> {
  const { provider, url, rootDirectory, skipUnchanged, takesForks, tokenSealed, secretSealed } =
    projectRepositories
  const [row] = await db
    .select({
      teamId: projects.teamId,
      projectId: projects.id,
      provider,
      url,
      rootDirectory,
      skipUnchanged,
      takesForks,
      tokenSealed,
      secretSealed,
      userId: members.userId,
      limitedTo,
    })
    .from(projectRepositories)
    .innerJoin(projects, eq(projects.id, projectRepositories.projectId))
    .leftJoin(
      members,
      and(eq(members.teamId, projects.teamId), eq(members.userId, projectRepositories.connectedBy)),
    )
    .where(eq(projectRepositories.projectId, projectId))
  if (!row) return undefined
  const { limitedTo: limits, userId, ...repository } = row
  return { ...repository, userId: userId !== null && sees({ projects: limits }, projectId) ? userId : null }
}
