/** Checks the domains that are due. */
import { within } from '../../../lib/async/within.ts'
import type { Database } from '../../../stores/db/database.ts'
import { isFirstDue } from '../../../stores/db/first-due.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Routing } from '../../zones/edge-targets.ts'
import { applyLookUp } from './apply.ts'
import type { DomainResolver } from './resolver.ts'

type Deps = {
  store: Store
  resolver: DomainResolver
  routing: Routing
  nowMs: () => number
  /** Aborts the work; unfinished checks are due again when their lease expires. */
  stopping: AbortSignal
}

/** Many times the duration of a check. */
const leaseMs = 60_000

const maxUnderWay = 50
const maxClaimed = 20

/** New due checks needn't wait for hanging ones. */
const lookAgainMs = 1_000

/**
 * Checks all due domains and resolves when none is left, or when the node stops: to false, since nothing more
 * is to do right away.
 * @throws the database's error, after running checks have ended.
 */
export async function checkDue(deps: Deps): Promise<false> {
  const { store, nowMs, stopping } = deps
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  while (failures.length === 0 && !stopping.aborted) {
    const room = Math.min(maxClaimed, maxUnderWay - underWay.size)
    const claims = room > 0 ? await claimDue(store.db, room, nowMs()) : []
    for (const claim of claims) {
      const work = check(deps, claim)
        .catch((error: unknown) => {
          if (!stopping.aborted)
            failures.push(new Error(`The check of ${claim.domain} failed.`, { cause: error }))
        })
        .finally(() => underWay.delete(work))
      underWay.add(work)
    }
    if (claims.length > 0 && underWay.size < maxUnderWay) continue
    if (underWay.size === 0) return false
    await within(lookAgainMs, Promise.race(underWay), () => {})
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
  return false
}

async function check({ resolver, ...deps }: Deps, { id, domain }: Due): Promise<void> {
  const lookUp = await resolver.lookUp(domain)
  // After a clock jump, nothing is due.
  const given = { ...deps, isClockBelieved: true }
  await deps.store.transact((tx) => applyLookUp(tx, given, { id, lookUp, actor: null }))
}

type Due = { id: string; domain: string }

/** Claims up to `limit` due domains with a lease. */
async function claimDue(db: Database, limit: number, nowMs: number): Promise<Due[]> {
  const due = { key: domains.id, dueMs: domains.nextCheckMs, lock: 'no key update' } as const
  return db
    .update(domains)
    .set({ nextCheckMs: nowMs + leaseMs })
    .where(isFirstDue(db, due, limit, nowMs))
    .returning({ id: domains.id, domain: domains.domain })
}
