/** Whether something has come since a delivery that an older commit must not replace. */
import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '../../../stores/db/database.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'

const newer = alias(forgeDeliveries, 'newer')

/**
 * Selects the later deliveries of the same branch that deployed something, are about to, or deleted the
 * branch; and those of the same pull request, which closed it or have a newer head, unless they failed, too.
 */
export function laterDeliveries(db: Database) {
  const isOpen = inArray(newer.status, ['pending', 'waiting'])
  // Alone of what was done it has neither a commit nor a pull request.
  const isDeletion = and(eq(newer.status, 'done'), isNull(newer.commit), isNull(newer.pullRequest))
  const ofBranch = and(
    eq(newer.branch, forgeDeliveries.branch),
    or(isNotNull(newer.deploymentId), isOpen, isDeletion),
  )
  const ofPullRequest = and(eq(newer.pullRequest, forgeDeliveries.pullRequest), ne(newer.status, 'failed'))
  return db
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(
        eq(newer.projectId, forgeDeliveries.projectId),
        or(ofBranch, ofPullRequest),
        sql`(${newer.receivedMs}, ${newer.id}) > (${forgeDeliveries.receivedMs}, ${forgeDeliveries.id})`,
      ),
    )
}
