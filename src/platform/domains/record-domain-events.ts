/** Records events of domains. */
import type { Transaction } from '../../stores/db/transaction.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'

/** The actor; null for the service itself. */
type By = { actor: Actor | null; nowMs: number }

/**
 * Records the events in each affected team's log. One team's change may verify or unverify a name of another:
 * that team's log doesn't name the actor, since teams can't see each other.
 */
export async function recordDomainEvents(
  tx: Transaction,
  { actor, nowMs }: By,
  happened: NewEvent[],
): Promise<void> {
  const isOwn = ({ teamId }: NewEvent) => teamId === actor?.principal.teamId
  const origin = actor && originOf(actor)
  await recordEvents(tx, { origin, nowMs }, happened.filter(isOwn))
  const others = happened.filter((event) => !isOwn(event))
  await recordEvents(tx, { origin: null, nowMs }, others)
}
