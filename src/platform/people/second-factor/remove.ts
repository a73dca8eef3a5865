/** Takes a second factor away for somebody who lost the device and the recovery codes. */
import { eq } from 'drizzle-orm'
import { invalidField } from '../../../lib/errors.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { sessions } from '../../../stores/db/schema/sessions.ts'
import { users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { parseEmail } from '../email.ts'
import { endPersonVisits } from '../end-person-visits.ts'
import { deleteSessions } from '../sessions.ts'

/**
 * Takes it from the user with this address; only the operator may, who knows whose address it is. All
 * sessions of the user and visits to protected sites end, since one may be on the device that is lost.
 * @throws AppError `invalid_input` without an address, or for one whose user has no second factor.
 */
export async function removeFactor(store: Store, email: string | undefined): Promise<void> {
  const address = email === undefined ? undefined : parseEmail(email)
  const isRemoved = await store.transact(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, address ?? ''))
      .for('no key update')
    if (!user) return false
    const removed = await tx
      .delete(secondFactors)
      .where(eq(secondFactors.userId, user.id))
      .returning({ userId: secondFactors.userId })
    if (removed.length === 0) return false
    await deleteSessions(tx, eq(sessions.userId, user.id))
    await endPersonVisits(tx, [user.id])
    return true
  })
  if (!isRemoved) throw invalidField('email', 'belongs to nobody with a second factor')
}
