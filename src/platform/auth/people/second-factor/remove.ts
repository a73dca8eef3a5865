/** Takes a second factor away for somebody who lost the device and the recovery codes. */
import { eq, inArray } from 'drizzle-orm'
import { invalidField } from '../../../../lib/errors.ts'
import { secondFactors } from '../../../../stores/db/schema/second-factors.ts'
import { users } from '../../../../stores/db/schema/teams.ts'
import type { Store } from '../../../../stores/db/store.ts'
import { parseEmail } from '../email.ts'

/**
 * Takes it from the user with this address; only the operator may, who knows whose address it is.
 * @throws AppError `invalid_input` without an address, or for one whose user has no second factor.
 */
export async function removeFactor(store: Store, email: string | undefined): Promise<void> {
  const address = email === undefined ? undefined : parseEmail(email)
  const removed = await store.transact((tx) => {
    const user = tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, address ?? ''))
    return tx
      .delete(secondFactors)
      .where(inArray(secondFactors.userId, user))
      .returning({ userId: secondFactors.userId })
  })
  if (removed.length > 0) return
  throw invalidField('email', 'belongs to nobody with a second factor')
}
