/** Records events of domains. */
import { type Actor, originOf } from '../auth/actor.ts'
import type { Change } from '../db/changes.ts'
import type { Database } from '../db/database.ts'
import { type NewEvent, recordEvents } from '../events/record-events.ts'

/** The actor; null for the service itself. */
type By = { actor: Actor | null; nowMs: number }

/**
 * Records the events in each affected team's log. One team's change may verify or unverify a name of another: that team's log
 * doesn't name the actor, since teams can't see each other.
 */
export async function recordDomainEvents(
  tx: Database,
  announce: (change: Change) => void,
  { actor, nowMs }: By,
  happened: NewEvent[],
): Promise<void> {
  const isOwn = ({ teamId }: NewEvent) => teamId === actor?.principal.teamId
  const origin = actor && originOf(actor)
  await recordEvents(tx, announce, { origin, nowMs }, happened.filter(isOwn))
  const others = happened.filter((event) => !isOwn(event))
  await recordEvents(tx, announce, { origin: null, nowMs }, others)
}
