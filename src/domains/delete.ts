/** Gives a claimed name up, with its records. */
import { eq } from 'drizzle-orm'
import type { Actor } from '../auth/actor.ts'
import { domains } from '../db/schema/domains.ts'
import type { Store } from '../db/store.ts'
import { domainEvent, settledEvents, summaryColumns } from '../zones/event-data.ts'
import { settleVerified } from '../zones/settle-verified.ts'
import { wakeRivals } from '../zones/wake-rivals.ts'
import { changeClaim } from './claim.ts'
import { tellOfDomains } from './tell.ts'

/**
 * Removes the claim with the records that were put on it. What it had proven is again whose it was without that, or
 * goes to the team that proves it next; this one has to prove it anew to have it back.
 * @throws AppError `domain_not_found`.
 */
export async function deleteDomain(
  deps: { store: Store; nowMs: () => number },
  actor: Actor,
  reference: string,
): Promise<{ id: string; deleted: true }> {
  const nowMs = deps.nowMs()
  const { teamId } = actor.principal
  const id = await deps.store.transact(async (tx, announce) => {
    const claim = await changeClaim({ tx, announce, nowMs }, teamId, reference)
    const removed = await tx.delete(domains).where(eq(domains.id, claim.id)).returning(summaryColumns)
    const lost = claim.provenMs === null ? [] : [claim]
    const settled = await settleVerified(tx, lost, nowMs)
    await wakeRivals(tx, teamId, lost, nowMs)
    const happened = [...removed.map((told) => domainEvent('deleted', told)), ...settledEvents(settled)]
    await tellOfDomains(tx, announce, { actor, nowMs }, happened)
    return claim.id
  })
  return { id, deleted: true }
}
