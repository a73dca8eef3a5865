/** Changes the password of a person who knows the present one. */
import { and, eq } from 'drizzle-orm'
import { accounts } from '../../stores/db/schema/people.ts'
import { wrongPassword } from './check-password.ts'
import { endPersonVisits } from './end-person-visits.ts'
import { hashPassword } from './password.ts'
import type { PasswordChange } from './person-input.ts'
import type { FactorDeps } from './second-factor/attempt.ts'
import { changeChecked, checkProof, type Person } from './second-factor/proof.ts'
import type { Ended } from './session-output.ts'
import { deleteSessions, isOther } from './sessions.ts'

/**
 * Changes it, and ends all other sessions, and visits to protected sites: the old one may be known to
 * somebody.
 * @throws AppError as `checkProof` and `changeChecked` do.
 */
export async function changePassword(
  deps: FactorDeps,
  person: Person,
  { new_password: next, ...proof }: PasswordChange,
): Promise<Ended> {
  const checked = await checkProof(deps, person, proof)
  const { id, hash } = checked.account
  // After the checks: it takes as long as a sign-in.
  const passwordHash = await hashPassword(next)
  return changeChecked(deps.store, person, checked, async (tx) => {
    // Of two changes at once, the second one knows a password that is no longer the present one.
    const changed = await tx
      .update(accounts)
      .set({ passwordHash, updatedMs: deps.nowMs() })
      .where(and(eq(accounts.id, id), eq(accounts.passwordHash, hash)))
      .returning({ id: accounts.id })
    if (changed.length === 0) throw wrongPassword(person.field ?? 'current_password')
    await endPersonVisits(tx, [person.userId])
    return { ended: await deleteSessions(tx, isOther(person)) }
  })
}
