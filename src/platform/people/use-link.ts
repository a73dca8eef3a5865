/** Uses a one-time link: sets a password, and an address if there is none yet. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Secret } from '../../lib/secret.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { parseEmail } from './email.ts'
import { endPersonVisits } from './end-person-visits.ts'
import { findLink, linkInvalid, takeLink } from './links.ts'
import { nameFirstTeam } from './name-first-team.ts'
import { hashPassword } from './password.ts'
import { deleteSessions } from './sessions.ts'
import { setPassword } from './set-password.ts'
import { insertPerson } from './sign-up.ts'
import { takeAddress } from './take-address.ts'
import { unnamedPerson } from './team-name.ts'

/** `email` is used only if the link was created without one. */
export type LinkUse = { token: string; email?: string | undefined; password: Secret }

/**
 * Sets the password of the link's user, who is created if need be, and ends the user's sessions and visits to
 * protected sites. Whoever has the link, from the operator or by mail, has the address: accounts that only
 * claim it lose it.
 * @throws AppError `link_invalid`, `invalid_input`, `name_in_use` when the address is another user's.
 */
export async function useLink(
  { store, nowMs }: { store: Store; nowMs: () => number },
  use: LinkUse,
): Promise<{ email: string }> {
  const known = await findLink(store.db, use.token, nowMs())
  // Checked before the password is hashed, which is too expensive to do for strangers.
  if (!known) throw linkInvalid()
  const email = known.email ?? givenEmail(use)
  const passwordHash = await hashPassword(use.password)
  await store.transact(async (tx) => {
    const link = await takeLink(tx, use.token, nowMs())
    await takeAddress(tx, { email }, nowMs())
    const id = link.userId
      ? await nameUser(tx, { id: link.userId, email }, nowMs())
      : await userOf(tx, email, nowMs())
    await setPassword(tx, { userId: id, passwordHash }, nowMs())
    await deleteSessions(tx, eq(sessions.userId, id))
    await endPersonVisits(tx, [id])
  })
  return { email }
}

function givenEmail({ email }: LinkUse): string {
  if (email === undefined) throw invalidField('email', 'required: you sign in with it')
  return parseEmail(email)
}

/** A user without a name is called by the address, as others are at first. */
async function nameUser(
  tx: Transaction,
  { id, email }: { id: string; email: string },
  nowMs: number,
): Promise<string> {
  const [other] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (other) throw new AppError('name_in_use', `${email} belongs to another user: choose another address.`)
  // Before the user is locked: teams always are first.
  await nameFirstTeam(tx, { id, email }, nowMs)
  const [named] = await tx
    .update(users)
    .set({
      email,
      emailVerified: true,
      name: sql`case when ${users.name} = ${unnamedPerson} then ${email} else ${users.name} end`,
    })
    .where(and(eq(users.id, id), isNull(users.email)))
    .returning({ id: users.id })
  if (!named) throw linkInvalid()
  return id
}

async function userOf(tx: Transaction, email: string, nowMs: number): Promise<string> {
  const [known] = await tx
    .update(users)
    .set({ emailVerified: true })
    .where(eq(users.email, email))
    .returning({ id: users.id })
  if (known) return known.id
  const id = newId('user', nowMs)
  await insertPerson(tx, { id, email, emailVerified: true, name: email }, nowMs)
  return id
}
