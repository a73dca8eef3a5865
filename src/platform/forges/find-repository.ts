/** The repository that a project is connected to. */
import { eq, sql } from 'drizzle-orm'
import type { Plan } from '../../lib/plan.ts'
import type { Database } from '../../stores/db/database.ts'
import { type Forge, projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'

/**
 * Token and secret as they are stored. `rootDirectory` is null for all of the repository; `buildDirectory` is
 * where the project builds what is deployed, `.` for all of that.
 */
export type KnownRepository = {
  teamId: string
  /** The team's. */
  plan: Plan
  projectId: string
  provider: Forge
  url: string
  /** The forge's id of it; null until an event said it. */
  repositoryId: string | null
  /** Its addresses before the forge moved it. */
  formerUrls: string[]
  rootDirectory: string | null
  buildDirectory: string
  /** Paths that count like that directory where pushes that change nothing are passed over. */
  watch: string[]
  skipUnchanged: boolean
  /** Whether pull requests of forks are deployed once an owner has approved them. */
  takesForks: boolean
  tokenSealed: string | null
  secretSealed: string | null
  /** Who connected it, in whose name it deploys. It is the project's, and goes on when that person leaves. */
  userId: string
}

/** Undefined where the project is connected to none. */
export async function findRepository(db: Database, projectId: string): Promise<KnownRepository | undefined> {
  const {
    provider,
    url,
    repositoryId,
    formerUrls,
    rootDirectory,
    watch,
    skipUnchanged,
    takesForks,
    ...others
  } = projectRepositories
  const [row] = await db
    .select({
      teamId: projects.teamId,
      plan: teams.plan,
      projectId: projects.id,
      provider,
      url,
      repositoryId,
      formerUrls,
      rootDirectory,
      buildDirectory: sql<string>`${projects.build} ->> 'root_directory'`,
      watch,
      skipUnchanged,
      takesForks,
      tokenSealed: others.tokenSealed,
      secretSealed: others.secretSealed,
      userId: others.connectedBy,
    })
    .from(projectRepositories)
    .innerJoin(projects, eq(projects.id, projectRepositories.projectId))
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .where(eq(projectRepositories.projectId, projectId))
  return row
}
