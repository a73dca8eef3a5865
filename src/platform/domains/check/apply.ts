/** Applies the result of a check to a claim. */
import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import type { Actor } from '../../callers/actor.ts'
import { settledEvents } from '../../zones/claims/claim-event.ts'
import { settleVerified } from '../../zones/claims/settle-verified.ts'
import { wakeRivals } from '../../zones/claims/wake-rivals.ts'
import type { Routing } from '../../zones/edge-targets.ts'
import { changeFamilies } from '../../zones/family.ts'
import { recordDomainEvents } from '../record-domain-events.ts'
import { decide, type Facts, type KnownClaim } from './decide.ts'
import type { LookUp } from './look-up.ts'

/** Lookups are never this far apart: a later result is from a clock that has been set back since. */
const maxOverlapMs = 60 * 60_000

type Deps = { routing: Routing; nowMs: () => number; isClockBelieved: boolean }

type Seen = {
  id: string
  lookUp: LookUp
  /** The user who requested the check, and is waiting for a change; null for a scheduled one. */
  actor: Actor | null
}

/**
 * Applies the result to the claim with this id, unless it is gone or has a later result. Its family is
 * locked, and its serial rises, only if a proof appears or disappears; affected teams get events. Must not
 * follow another write in its transaction.
 */
export async function applyLookUp(
  tx: Transaction,
  { routing, nowMs, isClockBelieved }: Deps,
  { id, lookUp, actor }: Seen,
): Promise<void> {
  const circumstances = {
    routing,
    nowMs: nowMs(),
    isClockBelieved,
    isAwaited: actor !== null,
    random: Math.random(),
  }
  const claim = await knownClaim(tx, id, lookUp)
  if (!claim) return
  const facts = decide(claim, lookUp, circumstances)
  if (!isFlip(claim, facts) && (await write(tx, claim, facts))) return
  await changeFamilies(tx, [claim.registrable], circumstances.nowMs)
  // The claim may have been changed or deleted while this waited for the lock.
  const locked = await knownClaim(tx, id, lookUp)
  if (!locked) return
  const lockedFacts = decide(locked, lookUp, circumstances)
  await write(tx, locked, lockedFacts)
  if (!isFlip(locked, lockedFacts)) return
  const settled = await settleVerified(tx, [locked], circumstances.nowMs)
  if (lockedFacts.provenMs === null) await wakeRivals(tx, locked.teamId, [locked], circumstances.nowMs)
  await recordDomainEvents(tx, { actor, nowMs: circumstances.nowMs }, settledEvents(settled))
}

function isFlip(claim: KnownClaim, facts: Facts): boolean {
  return (claim.provenMs === null) !== (facts.provenMs === null)
}

/** The claim, unless it has a later result. */
async function knownClaim(tx: Database, id: string, lookUp: LookUp): Promise<KnownClaim | undefined> {
  const proven = sql`select proven.team_id from ${domains} as proven
    where proven.registrable = domains.registrable and proven.proven_ms is not null`
  const [row] = await tx
    .select({
      claim: domains,
      isHeld: sql<boolean>`exists (
        ${proven} and proven.domain = domains.domain and proven.team_id <> domains.team_id)`,
      isCovered: sql<boolean>`coalesce(domains.team_id = (
        ${proven} and right(domains.domain, length(proven.domain) + 1) = '.' || proven.domain
        order by length(proven.domain) desc limit 1), false)`,
    })
    .from(domains)
    .where(and(eq(domains.id, id), notSeenSince(lookUp.lookedUpMs)))
  return row && { ...row.claim, isHeld: row.isHeld, isCovered: row.isCovered }
}

function notSeenSince(lookedUpMs: number) {
  const { checkedMs } = domains
  return or(isNull(checkedMs), lte(checkedMs, lookedUpMs), gt(checkedMs, lookedUpMs + maxOverlapMs))
}

/** Whether the claim was unchanged. */
async function write(tx: Database, { id, provenMs }: KnownClaim, facts: Facts): Promise<boolean> {
  const asRead = provenMs === null ? isNull(domains.provenMs) : eq(domains.provenMs, provenMs)
  const written = await tx
    .update(domains)
    .set(facts)
    .where(and(eq(domains.id, id), asRead, notSeenSince(facts.checkedMs ?? 0)))
    .returning({ id: domains.id })
  return written.length > 0
}
