/** Which deployments were made for pull requests of the repository's own branches. */
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'

/**
 * Whether a forge made the deployment for the pull request of this number, which is text, and no push of the
 * branch came to its commit. Callers write `meta`: it counts only where the platform wrote it.
 */
export function isMadeForPullRequest(number: string | SQLWrapper): SQL | undefined {
  return and(isMadeForAny, sql`${deployments.meta} ->> 'pull_request' = ${number}`)
}

/** The same for a pull request of any number. */
export const isMadeForAny: SQL | undefined = and(
  eq(deployments.target, 'preview'),
  eq(deployments.sourceKind, 'forge'),
  eq(deployments.untrusted, false),
  eq(deployments.pushedToo, false),
  sql`${deployments.meta} ->> 'pull_request' is not null`,
)
