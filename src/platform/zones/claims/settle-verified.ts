/** The owner of each claimed name: the team that has proven it, or the nearest proven name above it. */
import { and, eq, or, sql } from 'drizzle-orm'
import type { DomainName } from '../../../lib/names/domain-name.ts'
import type { Database } from '../../../stores/db/database.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import { atOrBelow } from '../name-range.ts'
import { type ClaimSummary, summaryColumns } from './claim-event.ts'

/**
 * Updates `verifiedMs` of all claims at or below these names after a change of a proof or a claim there.
 * Their families must be locked. Resolves to the changed ones, of any team; `settledEvents` makes events of
 * them.
 */
export async function settleVerified(
  tx: Database,
  names: DomainName[],
  nowMs: number,
): Promise<ClaimSummary[]> {
  const isOwned = sql`(${domains.teamId} = (
    select proven.team_id from ${domains} as proven
    where proven.registrable = ${domains.registrable} and proven.proven_ms is not null
      and (proven.domain = ${domains.domain}
        or right(${domains.domain}, length(proven.domain) + 1) = '.' || proven.domain)
    order by length(proven.domain) desc limit 1))`
  if (names.length === 0) return []
  const changed = and(
    or(
      ...names.map(({ domain, registrable }) =>
        and(eq(domains.registrable, registrable), atOrBelow(domains.reversed, domain)),
      ),
    ),
    sql`coalesce(${isOwned}, false) <> (${domains.verifiedMs} is not null)`,
  )
  const set = {
    verifiedMs: sql`case when ${domains.verifiedMs} is null then ${nowMs}::bigint end`,
    updatedMs: nowMs,
  }
  // Claims that lose a name come first: a name never has two owners at once.
  const lost = await tx
    .update(domains)
    .set(set)
    .where(and(changed, sql`${domains.verifiedMs} is not null`))
    .returning(summaryColumns)
  const won = await tx.update(domains).set(set).where(changed).returning(summaryColumns)
  return [...lost, ...won]
}
