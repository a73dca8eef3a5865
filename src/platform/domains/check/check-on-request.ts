/** Checks a domain on request. */
import { eq } from 'drizzle-orm'
import type { RemovalClock } from '../../../stores/clock/removal.ts'
import type { Database } from '../../../stores/db/database.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Actor } from '../../callers/actor.ts'
import { type Scope, sees } from '../../callers/scope.ts'
import type { Remember } from '../../idempotency/once.ts'
import { type Claim, domainNotFound, findClaim } from '../../zones/claims/claim-name.ts'
import type { DomainRecord } from '../domain-output.ts'
import { type ReadDeps, selectDomains, toRecord } from '../read-domain.ts'
import { applyLookUp } from './apply.ts'
import type { DomainResolver } from './resolver.ts'

type Deps = ReadDeps & {
  resolver: DomainResolver
  nowMs: () => number
  removal: Pick<RemovalClock, 'ask'>
}

/**
 * Checks the proof of a domain that the caller sees, and where the domain points; a problem is in the
 * response's `error`.
 * @throws AppError `domain_not_found`, also when it is deleted meanwhile; `stopping`.
 */
export async function verifyDomain(
  deps: Deps,
  actor: Actor,
  reference: string,
  remember?: Remember,
): Promise<DomainRecord> {
  const { store, resolver, removal } = deps
  const { id, domain } = await findSeen(store.db, actor.principal, reference)
  const lookUp = await resolver.lookUp(domain)
  const given = { ...deps, isClockBelieved: (await removal.ask()) !== undefined }
  return store.transact(async (tx) => {
    await applyLookUp(tx, given, { id, lookUp, actor })
    // By the reference once more: the name may have been deleted meanwhile, and claimed again.
    const claim = await findSeen(tx, actor.principal, reference)
    const [row] = await selectDomains(tx).where(eq(domains.id, claim.id))
    if (!row) throw new Error(`The domain ${claim.id} was read but does not exist.`)
    const record = toRecord(deps, row)
    await remember?.(tx, record)
    return record
  })
}

/** @throws AppError `domain_not_found`. */
async function findSeen(db: Database, scope: Scope, reference: string): Promise<Claim> {
  const claim = await findClaim(db, scope.teamId, reference)
  if (!sees(scope, claim.projectId)) throw domainNotFound(reference)
  return claim
}
