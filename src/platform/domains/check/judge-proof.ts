/** Whether the proof of a claim is there. */
import {
  type CheckError,
  nameTooLong,
  proofIsAlias,
  proofNotFound,
  proofWrong,
  resolverFailed,
} from './check-error.ts'
import { failureAmong, type LookUp, proofNameOf, valuesOf } from './look-up.ts'
import { proofMark } from './seen.ts'

/** `unknown` where the resolvers couldn't tell, which changes nothing. */
export type Judgement = { state: 'seen' } | { state: 'absent' | 'unknown'; error: CheckError }

/** Octets of a DNS name as text (RFC 1035, section 3.1). */
const maxNameLength = 253

/**
 * The proof must stand at its name itself: where a wildcard makes that an alias, what is answered there is in
 * the hands of whoever has the alias's target.
 */
export function judgeProof(claim: { domain: string; proof: string }, lookUp: LookUp): Judgement {
  if (proofNameOf(claim.domain).length > maxNameLength) return { state: 'absent', error: nameTooLong(claim) }
  const values = valuesOf(lookUp.proof)
  const [target] = valuesOf(lookUp.proofAlias)
  if (target !== undefined) return { state: 'absent', error: proofIsAlias(claim, target) }
  const isThere = values.includes(claim.proof)
  // Who doesn't know that it is no alias can't accept it; what isn't there needs no second answer.
  const failure = failureAmong(isThere ? [lookUp.proofAlias] : [lookUp.proof])
  if (failure) return { state: 'unknown', error: resolverFailed(failure) }
  if (isThere) return { state: 'seen' }
  const other = values.find((value) => value.includes(proofMark))
  const error = other === undefined ? proofNotFound(claim) : proofWrong(claim, other)
  return { state: 'absent', error }
}
