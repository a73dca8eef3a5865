/** Schedules checks of other teams' claims of a name that was deleted or lost. */
import { and, inArray, ne } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { domains } from '../../../stores/db/schema/domains.ts'

/** A name that a team no longer proves. */
type Lost = { registrable: string; reversed: string }

/** Makes other teams' claims of these names due now: the one with a proof gets the name. */
export async function wakeRivals(tx: Database, teamId: string, lost: Lost[], nowMs: number): Promise<void> {
  if (lost.length === 0) return
  const families = [...new Set(lost.map(({ registrable }) => registrable))]
  const names = lost.map(({ reversed }) => reversed)
  await tx
    .update(domains)
    .set({ nextCheckMs: nowMs })
    .where(
      and(
        inArray(domains.registrable, families),
        inArray(domains.reversed, names),
        ne(domains.teamId, teamId),
      ),
    )
}
