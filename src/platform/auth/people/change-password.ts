/** Changes the password of a person who knows the present one. */
import { and, eq } from 'drizzle-orm'
import { type AppError, invalidField } from '../../../lib/errors.ts'
import { accounts } from '../../../stores/db/schema/people.ts'
import type { Store } from '../../../stores/db/store.ts'
import { holdCredential, holdUser } from '../hold-caller.ts'
import type { Asking } from '../require-session.ts'
import { guess } from './guesses.ts'
import type { PasswordChange } from './input.ts'
import type { Ended } from './output.ts'
import { hashPassword, passwordAccount, verifyPassword } from './password.ts'
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
  const [account] = await store.db
    .select({ id: accounts.id, hash: accounts.passwordHash })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, passwordAccount)))
  const { id, hash } = account ?? {}
  if (id === undefined || !hash) throw noPassword(field)
  const isRight = () => verifyPassword({ hash, password })
  if (!(await guess({ userId, address, isRight }, nowMs()))) throw wrongPassword(field)
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

function wrongPassword(field: string): AppError {
  return invalidField(field, 'is not your password')
}

function noPassword(field: string): AppError {
  return invalidField(field, 'not set: you have no password here. The operator can create a link for you')
}
