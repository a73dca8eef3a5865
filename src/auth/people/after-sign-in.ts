/** What else happens when somebody with a verified address has signed in or up. */
import type { Store } from '../../db/store.ts'
import type { Logger } from '../../log.ts'
import { requestField } from '../../request-scope.ts'
import { acceptInvitations } from '../teams/invitations.ts'

type Deps = { store: Store; nowMs: () => number; log: Logger }

/** Binds the person's invitations. What goes wrong is only logged: who signed in is signed in. */
export async function afterSignIn(
  { store, nowMs, log }: Deps,
  user: { userId: string; email: string },
): Promise<void> {
  try {
    await acceptInvitations(store, user, nowMs())
  } catch (error) {
    log.error({ ...requestField(), err: error, user: user.userId }, 'What follows a sign-in failed.')
  }
}
