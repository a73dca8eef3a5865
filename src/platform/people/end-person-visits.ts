/** Ends visits of people to protected sites, which edges admit without looking up sessions. */
import { inArray, sql } from 'drizzle-orm'
import { users } from '../../stores/db/schema/teams.ts'
import { visitCodes } from '../../stores/db/schema/visitors.ts'
import type { Transaction } from '../../stores/db/transaction.ts'

/**
 * Ends every visit that began with a session of these people, who are locked, and the codes that would begin
 * more: call it in the transaction in which their sessions end for a reason other than signing out, or which
 * changes what proves them. Whoever is still signed in comes back with a click.
 */
export async function endPersonVisits(tx: Transaction, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .update(users)
    .set({ visitVersion: sql`${users.visitVersion} + 1` })
    .where(inArray(users.id, userIds))
  await tx.delete(visitCodes).where(inArray(visitCodes.userId, userIds))
  for (const id of userIds) tx.announce({ kind: 'member', id })
}
