/** Deletes all claims of a team. */
import { eq, inArray } from 'drizzle-orm'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { changeFamilies } from '../family.ts'
import { settledEvents } from './claim-event.ts'
import { settleVerified } from './settle-verified.ts'
import { wakeRivals } from './wake-rivals.ts'

/**
 * Deletes a team's claims with their records, and settles whose the names are now. The team's row must be
 * locked so that none is created meanwhile.
 */
export async function releaseTeam(tx: Transaction, teamId: string, nowMs: number): Promise<void> {
  const ofTeam = eq(domains.teamId, teamId)
  const claimed = await tx.selectDistinct({ name: domains.registrable }).from(domains).where(ofTeam)
  await changeFamilies(
    tx,
    claimed.map(({ name }) => name),
    nowMs,
  )
  const removed = await tx.delete(domains).where(ofTeam).returning({
    registrable: domains.registrable,
    reversed: domains.reversed,
    provenMs: domains.provenMs,
  })
  const proven = removed.filter(({ provenMs }) => provenMs !== null)
  if (proven.length === 0) return
  // Few, if any: families in which another team has a claim, too.
  const shared = await tx
    .selectDistinct({ name: domains.registrable })
    .from(domains)
    .where(
      inArray(
        domains.registrable,
        proven.map(({ registrable }) => registrable),
      ),
    )
  const families = shared.map(({ name }) => ({ domain: name, registrable: name }))
  const settled = await settleVerified(tx, families, nowMs)
  await wakeRivals(tx, teamId, proven, nowMs)
  await recordEvents(tx, { origin: null, nowMs }, settledEvents(settled))
}
