/** Which visits to a project's protected sites hold. */
import { eq, sql } from 'drizzle-orm'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'

/**
 * In a query of a team with its project: a number that only rises, whenever visits have to end. A visit
 * carries the one of its beginning, and holds as long as the site has no later one.
 */
export const accessVersion = sql<number>`${teams.accessVersion} + coalesce(${projects.accessVersion}, 0)`

/** Ends every visit to protected sites of the project, as when a share link is revoked. */
export async function endVisits(tx: Transaction, projectId: string): Promise<void> {
  await tx
    .update(projects)
    .set({ accessVersion: sql`${projects.accessVersion} + 1` })
    .where(eq(projects.id, projectId))
  tx.announce({ kind: 'project', id: projectId })
}
