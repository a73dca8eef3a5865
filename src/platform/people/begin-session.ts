/** Begins the session of a person who has proven more than a password, in better-auth's way. */
import type { GenericEndpointContext, User } from 'better-auth'
import { setSessionCookie } from 'better-auth/cookies'
import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdUser } from '../callers/hold-caller.ts'
import { proveSession } from './prove-session.ts'
import { lockFactors } from './second-factor/attempt.ts'
import { deleteSessions } from './sessions.ts'

/** The user of a new session, and the proof given; `isShort` for one that ends with the browser. */
type Beginning = { user: User; provenBy: 'second_factor' | 'passkey'; isShort: boolean }

/**
 * Sets the cookie of a new session, and resolves to its token.
 * @throws AppError `sign_in_failed` if the person's last second factor has just gone.
 */
export async function beginSession(
  ctx: GenericEndpointContext,
  store: Store,
  { user, provenBy, isShort }: Beginning,
): Promise<string> {
  const session = await ctx.context.internalAdapter.createSession(user.id, isShort)
  const isProven = await store.transact(async (tx) => {
    await holdUser(tx, user.id)
    const factors = await lockFactors(tx, user.id)
    if (factors?.isOn) await proveSession(tx, session.id, provenBy)
    else await deleteSessions(tx, eq(sessions.id, session.id))
    return factors?.isOn
  })
  if (!isProven) throw signInAgain()
  await setSessionCookie(ctx, { session, user })
  return session.token
}

/** The error for a sign-in whose first half is worth nothing any more. */
export function signInAgain(): AppError {
  return new AppError(
    'sign_in_failed',
    'The sign-in took too long, or the password or the second factor has changed. Sign in again.',
  )
}
