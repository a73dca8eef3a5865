/** Gives a person another name. */
import { eq } from 'drizzle-orm'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdCredential, holdUser } from '../callers/hold-caller.ts'
import type { Asking } from '../callers/require-session.ts'
import { unauthorized } from '../callers/unauthorized.ts'
import type { User } from './account.ts'
import { shownEmail } from './person-email.ts'

/** Renames the user, whose teams see it. @throws AppError `unauthorized` when the session has just ended. */
export async function renamePerson(store: Store, { userId, sessionId }: Asking, name: string): Promise<User> {
  return store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const [user] = await tx
      .update(users)
      .set({ name })
      .where(eq(users.id, userId))
      .returning({ id: users.id, email: shownEmail, name: users.name })
    if (!user) throw unauthorized()
    return user
  })
}
