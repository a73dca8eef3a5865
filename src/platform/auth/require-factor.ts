/** The second factor that a team may require of the sessions that act in it. */
import { AppError } from '../../lib/errors.ts'
import type { Principal } from './principal.ts'

/** Whether the person of a session showed a second factor, or signed in at the provider; true of a key. */
export function hasFactor(principal: Principal): boolean {
  return principal.kind === 'key' || principal.hasFactor
}

/** Whether the caller's team requires a second factor that the caller's session was not begun with. */
export function lacksFactor(principal: Principal): boolean {
  return principal.kind !== 'key' && principal.factorRequired && !principal.hasFactor
}

/** The refusal of a session in a team that requires a second factor. */
export function factorRequired(team: string): AppError {
  return new AppError(
    'second_factor_required',
    `The team ${team} requires a second factor: set one up on your account page, then sign in with it.`,
  )
}
