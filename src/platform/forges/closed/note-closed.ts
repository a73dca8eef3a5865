/** Pull requests that are closed, until what they had deployed is deleted. */
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { closedPullRequests } from '../../../stores/db/schema/project-repositories.ts'
import { dueAfter } from '../../projects/closed-pull-requests.ts'

/** The most closed pull requests of a project; the deployments of those closed before stay. */
const maxClosed = 1_000

/** `branch` is null for that of a fork. */
type Closed = { branch: string | null; number: number }

/** Notes that these pull requests, of which each is there once, are closed. */
export async function noteClosed(
  tx: Database,
  closed: Closed[],
  { projectId, closeDays, nowMs }: { projectId: string; closeDays: number | null; nowMs: number },
): Promise<void> {
  if (closed.length === 0) return
  const times = { closedMs: nowMs, dueMs: dueAfter(nowMs, closeDays) }
  await tx
    .insert(closedPullRequests)
    .values(closed.map((each) => ({ projectId, ...each, ...times })))
    .onConflictDoUpdate({
      target: [closedPullRequests.projectId, closedPullRequests.number],
      set: { ...times, branch: sql`excluded.branch` },
    })
  await removeSurplus(tx, projectId)
}

/** The end of a sentence about deployments: whether they stay, or when they are deleted. */
export function fateOf(closeDays: number | null): string {
  if (closeDays === null) return 'stay'
  if (closeDays === 0) return 'are deleted soon'
  return `are deleted after ${closeDays === 1 ? 'a day' : `${closeDays} days`}`
}

async function removeSurplus(tx: Database, projectId: string): Promise<void> {
  const surplus = tx
    .select({ number: closedPullRequests.number })
    .from(closedPullRequests)
    .where(eq(closedPullRequests.projectId, projectId))
    .orderBy(desc(closedPullRequests.closedMs), desc(closedPullRequests.number))
    .offset(maxClosed)
  await tx
    .delete(closedPullRequests)
    .where(
      and(
        eq(closedPullRequests.projectId, projectId),
        sql`${closedPullRequests.number} = any(array(${surplus}))`,
      ),
    )
}
