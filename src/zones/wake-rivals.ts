/** Whoever else claims a name that was given up or lost need not wait for the next look at it. */
import { and, inArray, ne } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { domains } from '../db/schema/domains.ts'

/** A name that a team no longer proves. */
type Lost = { registrable: string; reversed: string }

/** Has the claims that other teams make of these names looked at now: the one whose proof is there gets the name. */
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
