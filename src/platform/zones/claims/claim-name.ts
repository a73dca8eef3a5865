/** The stored claims of names. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { readDomainName } from '../../../lib/names/domain-name.ts'
import type { Database } from '../../../stores/db/database.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { changeFamilies } from '../family.ts'

export type Claim = typeof domains.$inferSelect

/** The error for a domain that the team doesn't have, whether or not it exists. */
export function domainNotFound(reference: string): AppError {
  return new AppError('domain_not_found', `The team has no domain ${reference}.`)
}

/**
 * The key of a reference: an id, or a name in any spelling.
 * @throws AppError `domain_not_found` for an invalid name.
 */
export function readReference(reference: string): { id: string } | { domain: string } {
  if (isId('domain', reference)) return { id: reference }
  const name = readDomainName(reference)
  if ('problem' in name) throw domainNotFound(reference)
  return { domain: name.domain }
}

/** The team's claim by name, in any spelling, or id. @throws AppError `domain_not_found`. */
export async function findClaim(db: Database, teamId: string, reference: string): Promise<Claim> {
  const wanted = readReference(reference)
  const key = 'id' in wanted ? eq(domains.id, wanted.id) : eq(domains.domain, wanted.domain)
  const [claim] = await db
    .select()
    .from(domains)
    .where(and(eq(domains.teamId, teamId), key))
  if (!claim) throw domainNotFound(reference)
  return claim
}

/** The team's claim, after its family was locked and announced. @throws AppError `domain_not_found`. */
export async function changeClaim(
  tx: Transaction,
  teamId: string,
  reference: string,
  nowMs: number,
): Promise<Claim> {
  const { registrable } = await findClaim(tx, teamId, reference)
  await changeFamilies(tx, [registrable], nowMs)
  // The claim may have been changed or deleted while this waited for the lock.
  return findClaim(tx, teamId, reference)
}
