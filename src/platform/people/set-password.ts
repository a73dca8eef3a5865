/** Stores the password of a user. */
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { accounts } from '../../stores/db/schema/people.ts'
import { passwordAccount } from './password.ts'

/** Stores the hash of the user's first password, or of another one. */
export async function setPassword(
  tx: Database,
  { userId, passwordHash }: { userId: string; passwordHash: string },
  nowMs: number,
): Promise<void> {
  const id = newId('account', nowMs)
  const times = { createdMs: nowMs, updatedMs: nowMs }
  await tx
    .insert(accounts)
    .values({ id, userId, providerId: passwordAccount, accountId: userId, passwordHash, ...times })
    .onConflictDoUpdate({
      target: [accounts.providerId, accounts.accountId],
      set: { passwordHash, updatedMs: nowMs },
    })
}
