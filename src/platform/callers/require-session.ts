/** Requires a session for what belongs to a person, for whom keys don't speak. */
import { AppError } from '../../lib/errors.ts'
import { heldBy } from './hold-caller.ts'
import type { Principal } from './principal.ts'

/** A user, and the session of the request. */
export type Asking = { userId: string; sessionId: string }

/**
 * Passes sessions, and JWTs that were minted with one. A key is for a team: whoever has it must not become
 * the person who made it.
 * @throws AppError `role_required`.
 */
export function requireSession(principal: Principal): Asking {
  const { sessionId } = heldBy(principal)
  if (sessionId !== null) return { userId: principal.userId, sessionId }
  throw new AppError(
    'role_required',
    'An account belongs to a person: sign in. ' +
      'An API key does not speak for the person, nor does a JWT minted with one.',
  )
}
