/** Checks that whoever is at a session knows the person's password. */
import { and, eq } from 'drizzle-orm'
import { type AppError, invalidField } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { accounts } from '../../stores/db/schema/people.ts'
import type { Store } from '../../stores/db/store.ts'
import { guess } from './guesses.ts'
import { passwordAccount, verifyPassword } from './password.ts'

/** Who says so, and from where; `field` is the caller's name of the password. */
type Claim = { userId: string; address: string; field?: string }

/** The account that is the person's password. */
export type PasswordAccount = { id: string; hash: string }

/**
 * The account of a person whose password it is.
 * @throws AppError `invalid_input` if the person has none, or another one; `rate_limited` after too many
 * wrong ones; `sign_in_unavailable`.
 */
export async function checkPassword(
  { store, nowMs }: { store: Store; nowMs: () => number },
  { userId, address, field = 'current_password' }: Claim,
  password: string,
): Promise<PasswordAccount> {
  const account = await readAccount(store.db, userId)
  if (!account) throw noPassword(field)
  const isRight = () => verifyPassword({ hash: account.hash, password })
  if (!(await guess({ userId, address, isRight }, nowMs()))) throw wrongPassword(field)
  return account
}

/** The error for a wrong one. */
export function wrongPassword(field: string): AppError {
  return invalidField(field, 'is not your password')
}

async function readAccount(db: Database, userId: string): Promise<PasswordAccount | undefined> {
  const [account] = await db
    .select({ id: accounts.id, hash: accounts.passwordHash })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, passwordAccount)))
  return account?.hash ? { id: account.id, hash: account.hash } : undefined
}

function noPassword(field: string): AppError {
  return invalidField(field, 'not set: you have no password here. The operator can create a link for you')
}
