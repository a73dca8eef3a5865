/** Begins the session of a person who has proven more than a password, in better-auth's way. */
import type { GenericEndpointContext, User } from 'better-auth'
import { setSessionCookie } from 'better-auth/cookies'
import type { Store } from '../../../stores/db/store.ts'
import { proveSession } from './prove-session.ts'

/** What the session is of; `isShort` for one that ends with the browser. */
type Beginning = { user: User; provenBy: 'second_factor' | 'passkey'; isShort: boolean }

/** Sets the cookie of a new session, and resolves to its token. */
export async function beginSession(
  ctx: GenericEndpointContext,
  store: Store,
  { user, provenBy, isShort }: Beginning,
): Promise<string> {
  const session = await ctx.context.internalAdapter.createSession(user.id, isShort)
  await store.transact((tx) => proveSession(tx, session.id, provenBy))
  await setSessionCookie(ctx, { session, user })
  return session.token
}
