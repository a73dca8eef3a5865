/** Proves the address that an unproven account claims, with a link that went to the address. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { claimedAddresses } from '../../stores/db/schema/people.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdCredential, holdUser } from '../callers/hold-caller.ts'
import type { Asking } from '../callers/require-session.ts'
import { linkInvalid, takeLink } from './links.ts'
import { isClaimOf } from './person-email.ts'
import { takeAddress } from './take-address.ts'

/**
 * Makes the address the account's own, and uses up the link. Whoever asks has both the link and a session of
 * the account: the link alone makes another account, so that nobody gets one that a stranger has prepared.
 * @throws AppError `link_invalid`, `unauthorized` when the session has just ended, `name_in_use` if the
 * account doesn't claim the link's address, or somebody has proven it.
 */
export async function proveAddress(
  { store, nowMs }: { store: Store; nowMs: () => number },
  { userId, sessionId }: Asking,
  token: string,
): Promise<{ email: string }> {
  const now = nowMs()
  return store.transact(async (tx) => {
    const { email } = await takeLink(tx, token, now)
    if (email === null) throw linkInvalid()
    await takeAddress(tx, { email, keptId: userId }, now)
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const isOwn = and(eq(claimedAddresses.userId, userId), isClaimOf(email))
    const claimed = await tx
      .delete(claimedAddresses)
      .where(isOwn)
      .returning({ email: claimedAddresses.email })
    const [other] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    if (claimed.length === 0 || other) {
      throw new AppError(
        'name_in_use',
        `${email} is not the address of this account, or is another's by now.`,
      )
    }
    await tx.update(users).set({ email, emailVerified: true }).where(eq(users.id, userId))
    return { email }
  })
}
