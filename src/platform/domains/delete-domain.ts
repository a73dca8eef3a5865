/** Deletes a claimed name, with its records. */
import { eq } from 'drizzle-orm'
import { domains } from '../../stores/db/schema/domains.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Actor } from '../callers/actor.ts'
import { domainEvent, settledEvents, summaryColumns } from '../zones/claims/claim-event.ts'
import { changeClaim } from '../zones/claims/claim-name.ts'
import { settleVerified } from '../zones/claims/settle-verified.ts'
import { wakeRivals } from '../zones/claims/wake-rivals.ts'
import { recordDomainEvents } from './record-domain-events.ts'

/**
 * Deletes the claim with its records. Names that it had proven go to the next proven claim, or to the team
 * that proves them next; to have them back, this team must prove them again.
 * @throws AppError `domain_not_found`.
 */
export async function deleteDomain(
  deps: { store: Store; nowMs: () => number },
  actor: Actor,
  reference: string,
): Promise<{ id: string; deleted: true }> {
  const nowMs = deps.nowMs()
  const { teamId } = actor.principal
  const id = await deps.store.transact(async (tx) => {
    const claim = await changeClaim(tx, teamId, reference, nowMs)
    const removed = await tx.delete(domains).where(eq(domains.id, claim.id)).returning(summaryColumns)
    const lost = claim.provenMs === null ? [] : [claim]
    const settled = await settleVerified(tx, lost, nowMs)
    await wakeRivals(tx, teamId, lost, nowMs)
    const happened = [...removed.map((each) => domainEvent('deleted', each)), ...settledEvents(settled)]
    await recordDomainEvents(tx, { actor, nowMs }, happened)
    return claim.id
  })
  return { id, deleted: true }
}
