/** Tells the event logs what becomes of domains. */
import { type Actor, originOf } from '../auth/actor.ts'
import type { Change } from '../db/changes.ts'
import type { Database } from '../db/open.ts'
import { type NewEvent, recordEvents } from '../events/record-events.ts'

/** Who does it: null for the service itself. */
type By = { actor: Actor | null; nowMs: number }

/**
 * Writes what happened into the log of each team that it happened to. One team's change may win or lose a name for
 * another: that one's log doesn't say who did it, since nothing of a team is for others to see.
 */
export async function tellOfDomains(
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
