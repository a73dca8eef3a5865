/** The second factor that a team may require of the sessions that act in it. */
import { AppError } from '../../lib/errors.ts'
import type { KeyPrincipal, Principal, WorkloadPrincipal } from './principal.ts'

/**
 * Whether the person of a session showed a second factor, or signed in at the provider; true without a
 * person.
 */
export function hasFactor(principal: Principal): boolean {
  return !isOfPerson(principal) || principal.hasFactor
}

/** Whether the caller's team requires a second factor that the caller's session was not begun with. */
export function lacksFactor(principal: Principal): boolean {
  return isOfPerson(principal) && principal.factorRequired && !principal.hasFactor
}

/** The refusal of a session in a team that requires a second factor. */
export function factorRequired(team: string): AppError {
  return new AppError(
    'second_factor_required',
    `The team ${team} requires a second factor: set one up on your account page, then sign in with it.`,
  )
}

/** Keys and jobs of CI systems have no person who could show a factor. */
function isOfPerson(principal: Principal): principal is Exclude<Principal, KeyPrincipal | WorkloadPrincipal> {
  return principal.kind !== 'key' && principal.kind !== 'workload'
}
