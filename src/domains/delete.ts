/** Gives a claimed name up, with its records. */
import { eq } from 'drizzle-orm'
import { domains } from '../db/schema/domains.ts'
import type { Store } from '../db/store.ts'
import { settleVerified } from '../zones/settle-verified.ts'
import { wakeRivals } from '../zones/wake-rivals.ts'
import { changeClaim } from './claim.ts'

/**
 * Removes the claim with the records that were put on it. What it had proven is again whose it was without that, or
 * goes to the team that proves it next; this one has to prove it anew to have it back.
 * @throws AppError `domain_not_found`.
 */
export async function deleteDomain(
  { store, nowMs }: { store: Store; nowMs: () => number },
  teamId: string,
  reference: string,
): Promise<{ id: string; deleted: true }> {
  const id = await store.transact(async (tx, announce) => {
    const now = nowMs()
    const claim = await changeClaim(tx, announce, teamId, reference, now)
    await tx.delete(domains).where(eq(domains.id, claim.id))
    if (claim.provenMs === null) return claim.id
    await settleVerified(tx, claim, now)
    await wakeRivals(tx, teamId, [claim], now)
    return claim.id
  })
  return { id, deleted: true }
}
