/** Decides the effect of a check on a claim. */
import type { domains } from '../../../stores/db/schema/domains.ts'
import type { Routing } from '../../zones/edge-targets.ts'
import { type CheckError, proofLost, verifiedByAnotherTeam } from './check-error.ts'
import { type Judgement, judgeProof } from './judge-proof.ts'
import { judgeRoute } from './judge-route.ts'
import type { LookUp } from './look-up.ts'
import { waitMs } from './next-check.ts'
import { seenRecords } from './seen.ts'

type Row = typeof domains.$inferSelect

/** A claim, and how claims of others affect it. */
export type KnownClaim = Row & {
  /** Whether another team has proven this very name. */
  isHeld: boolean
  /** Whether the nearest proven name above is the team's own. */
  isCovered: boolean
}

export type Facts = Pick<
  Row,
  | 'provenMs'
  | 'proofLostMs'
  | 'configured'
  | 'seen'
  | 'errorReason'
  | 'errorMessage'
  | 'checks'
  | 'checkedMs'
  | 'nextCheckMs'
>

type Circumstances = {
  routing: Routing
  nowMs: number
  /** Whether a user requested the check, and is waiting for a change. */
  isAwaited: boolean
  /** Whether the clock is trusted: after a jump no proof expires, and no check is postponed. */
  isClockBelieved: boolean
  /** From 0 to 1. */
  random: number
}

/** The grace period of a missing proof. */
const graceMs = 7 * 24 * 3_600_000

/** The new state of a claim. Unknown answers change only the error and the next check. */
export function decide(
  claim: KnownClaim,
  lookUp: LookUp,
  { routing, nowMs, isAwaited, isClockBelieved, random }: Circumstances,
): Facts {
  const proof = judgeProof(claim, lookUp)
  const route = judgeRoute(claim.domain, lookUp, routing)
  const { provenMs, proofLostMs } = provenness(claim, proof, { nowMs, isClockBelieved })
  const configured = route.state === 'unknown' ? claim.configured : route.state === 'here'
  const isVerified = provenMs !== null || (claim.isCovered && !claim.isHeld)
  // Domains without a target need no records for the edge.
  const isServed = claim.projectId !== null || claim.redirectTo !== null
  const error =
    proofError(claim, proof, { isVerified, provenMs, proofLostMs }) ??
    (isServed && route.state !== 'here' ? route.error : undefined)

  const hasFailed = error?.reason === 'resolver_failed'
  const isErrorNew =
    !hasFailed && claim.errorReason !== 'resolver_failed' && claim.errorReason !== (error?.reason ?? null)
  const hasChanged =
    isErrorNew ||
    configured !== claim.configured ||
    (provenMs === null) !== (claim.provenMs === null) ||
    (proofLostMs === null) !== (claim.proofLostMs === null)
  const checks = hasChanged || isAwaited ? 0 : claim.checks + 1
  const isWell = isVerified && proofLostMs === null && (configured || !isServed)
  const usualMs = nowMs + Math.round(waitMs({ checks, isWell, hasFailed, random }))
  const nextMs = isClockBelieved ? usualMs : claim.nextCheckMs
  const endMs = proofLostMs === null ? undefined : proofLostMs + graceMs
  return {
    provenMs,
    proofLostMs,
    configured,
    seen: seenRecords(lookUp, claim.seen),
    errorReason: error?.reason ?? null,
    errorMessage: error?.message ?? null,
    checks,
    checkedMs: lookUp.lookedUpMs,
    // The check at the end of the grace period isn't postponed.
    nextCheckMs: endMs !== undefined && endMs > nowMs ? Math.min(nextMs, endMs) : nextMs,
  }
}

/** Whether the team's own proof counts, and since when it has been missing. */
function provenness(
  { provenMs, proofLostMs, isHeld }: KnownClaim,
  { state }: Judgement,
  { nowMs, isClockBelieved }: Pick<Circumstances, 'nowMs' | 'isClockBelieved'>,
): Pick<Facts, 'provenMs' | 'proofLostMs'> {
  if (state === 'unknown') return { provenMs, proofLostMs }
  if (state === 'seen') return { provenMs: provenMs ?? (isHeld ? null : nowMs), proofLostMs: null }
  if (provenMs === null) return { provenMs: null, proofLostMs: null }
  if (!isClockBelieved) return { provenMs, proofLostMs }
  const lostMs = proofLostMs ?? nowMs
  return nowMs - lostMs >= graceMs ? { provenMs: null, proofLostMs: null } : { provenMs, proofLostMs: lostMs }
}

function proofError(
  claim: KnownClaim,
  proof: Judgement,
  { isVerified, provenMs, proofLostMs }: Pick<Facts, 'provenMs' | 'proofLostMs'> & { isVerified: boolean },
): CheckError | undefined {
  // A name covered by one above needs no proof of its own.
  if (provenMs === null && isVerified) return undefined
  if (proof.state === 'seen') return isVerified ? undefined : verifiedByAnotherTeam(claim)
  if (proof.state === 'absent' && isVerified && proofLostMs !== null) {
    return proofLost(claim, proofLostMs + graceMs)
  }
  return proof.error
}
