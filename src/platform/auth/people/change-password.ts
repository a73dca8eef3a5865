/** Changes the password of a person who knows the present one. */
import { and, eq } from 'drizzle-orm'
import { accounts } from '../../../stores/db/schema/people.ts'
import type { Store } from '../../../stores/db/store.ts'
import { holdCredential, holdUser } from '../hold-caller.ts'
import type { Asking } from '../require-session.ts'
import { checkPassword, wrongPassword } from './check-password.ts'
import type { PasswordChange } from './input.ts'
import type { Ended } from './output.ts'
import { hashPassword } from './password.ts'
import { deleteSessions, isOther } from './sessions.ts'

/**
 * Changes it, and ends all other sessions: the old one may be known to somebody. `field` is the caller's name
 * of the present password.
 * @throws AppError `invalid_input` if the person has none, or another one; `rate_limited` after too many
 * wrong ones; `sign_in_unavailable`; `unauthorized` when the session has just ended.
 */
export async function changePassword(
  { store, nowMs }: { store: Store; nowMs: () => number },
  { address, ...asking }: Asking & { address: string },
  { current_password: password, new_password: next }: PasswordChange,
  field = 'current_password',
): Promise<Ended> {
  const { userId, sessionId } = asking
  const { id, hash } = await checkPassword({ store, nowMs }, { userId, address, field }, password)
  const passwordHash = await hashPassword(next)
  return store.transact(async (tx) => {
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    // Of two changes at once, the second one knows a password that is no longer the present one.
    const changed = await tx
      .update(accounts)
      .set({ passwordHash, updatedMs: nowMs() })
      .where(and(eq(accounts.id, id), eq(accounts.passwordHash, hash)))
      .returning({ id: accounts.id })
    if (changed.length === 0) throw wrongPassword(field)
    return { ended: await deleteSessions(tx, isOther(asking)) }
  })
}
