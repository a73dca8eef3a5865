/** Ends visits to a team's protected sites, which edges admit without looking up who is a member. */
import { eq, sql } from 'drizzle-orm'
import { teams } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'

/**
 * Ends every visit to protected sites of the team: call it in the transaction in which somebody leaves the
 * team, or may see less of it than before. Whoever may still see a site signs in again, which takes a click.
 */
export async function raiseAccessVersion(tx: Transaction, teamId: string): Promise<void> {
  await tx
    .update(teams)
    .set({ accessVersion: sql`${teams.accessVersion} + 1` })
    .where(eq(teams.id, teamId))
  tx.announce({ kind: 'team', id: teamId })
}
