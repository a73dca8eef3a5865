/**
 * How the person of a session proved to be it: a team may require more than a password. A session counts as
 * proven only while the person has a second factor.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { sessions } from '../../stores/db/schema/sessions.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { holdUser } from '../callers/hold-caller.ts'
import type { Asking } from '../callers/require-session.ts'
import { unauthorized } from '../callers/unauthorized.ts'
import { deleteSessions } from './sessions.ts'

/** Notes how the session's person, who is locked, proved to be it, beyond a password. */
export async function proveSession(
  tx: Transaction,
  id: string,
  provenBy: 'second_factor' | 'passkey',
): Promise<void> {
  const [session] = await tx
    .update(sessions)
    .set({ provenBy })
    .where(and(eq(sessions.id, id), eq(sessions.provenBy, 'password')))
    .returning({ tokenSha256: sessions.tokenSha256 })
  if (session) tx.announce({ kind: 'session', id: session.tokenSha256 })
}

/** Makes sessions of the person, whose last second factor has just gone, those of a password. */
export async function endProofs(tx: Transaction, userId: string): Promise<void> {
  const ended = await tx
    .update(sessions)
    .set({ provenBy: 'password' })
    .where(and(eq(sessions.userId, userId), inArray(sessions.provenBy, ['second_factor', 'passkey'])))
    .returning({ tokenSha256: sessions.tokenSha256 })
  for (const { tokenSha256 } of ended) tx.announce({ kind: 'session', id: tokenSha256 })
}

/**
 * Puts the new session `nextId` in the place of the caller's, as proven as that is by then.
 * @throws AppError `unauthorized` if the caller's has just ended, with which the new one ends, too.
 */
export async function replaceSession(
  store: Store,
  { userId, sessionId }: Asking,
  nextId: string,
): Promise<void> {
  const isReplaced = await store.transact(async (tx) => {
    await holdUser(tx, userId)
    const [present] = await tx
      .select({ provenBy: sessions.provenBy })
      .from(sessions)
      .where(eq(sessions.id, sessionId))
      .for('update')
    if (present) {
      await tx.update(sessions).set({ provenBy: present.provenBy }).where(eq(sessions.id, nextId))
    }
    await deleteSessions(tx, eq(sessions.id, present ? sessionId : nextId))
    return present !== undefined
  })
  if (!isReplaced) throw unauthorized()
}
