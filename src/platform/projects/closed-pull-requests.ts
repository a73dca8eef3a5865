/** When the deployments of closed pull requests of a project are due to be deleted. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { closedPullRequests } from '../../stores/db/schema/project-repositories.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The time at which what was closed at `closedMs` is due; null where deployments stay. */
export function dueAfter(closedMs: number, closeDays: number | null): number | null {
  return closeDays === null ? null : closedMs + closeDays * dayMs
}

/** Has those that wait follow another setting. The project is locked by then. */
export async function scheduleClosed(
  tx: Database,
  projectId: string,
  closeDays: number | null,
): Promise<void> {
  const dueMs: SQL | null =
    closeDays === null ? null : sql`${closedPullRequests.closedMs} + ${closeDays * dayMs}::bigint`
  await tx.update(closedPullRequests).set({ dueMs }).where(eq(closedPullRequests.projectId, projectId))
}

/** Leaves the deployments of those of another repository alone. The project is locked by then. */
export async function forgetClosed(tx: Database, projectId: string): Promise<void> {
  await tx.delete(closedPullRequests).where(eq(closedPullRequests.projectId, projectId))
}
