/** Who signs in with an address and a password. */
import { and, asc, eq } from 'drizzle-orm'
import type { Secret } from '../../lib/secret.ts'
import type { Database } from '../../stores/db/database.ts'
import { accounts, claimedAddresses } from '../../stores/db/schema/people.ts'
import { users } from '../../stores/db/schema/teams.ts'
import { hashPassword, passwordAccount, verifyPassword } from './password.ts'
import { isClaimOf } from './person-email.ts'

/** How many accounts may claim an address: signing in tries the password of each. */
export const maxClaims = 3

const isPassword = and(eq(accounts.userId, users.id), eq(accounts.providerId, passwordAccount))

const columns = { userId: users.id, hash: accounts.passwordHash }

/**
 * The id of the user with this address, in lower case, and password: first who has proven the address, then
 * those who claim it, the oldest first. It takes the same time whether or not somebody has proven it.
 * @throws AppError `sign_in_unavailable`.
 */
export async function findByPassword(
  db: Database,
  { email, password }: { email: string; password: Secret },
): Promise<string | undefined> {
  const [proven] = await db
    .select(columns)
    .from(users)
    .innerJoin(accounts, isPassword)
    .where(eq(users.email, email))
  if (!proven?.hash) await hashPassword(password)
  else if (await verifyPassword({ hash: proven.hash, password })) return proven.userId
  const claiming = await db
    .select(columns)
    .from(claimedAddresses)
    .innerJoin(users, eq(users.id, claimedAddresses.userId))
    .innerJoin(accounts, isPassword)
    .where(isClaimOf(email))
    .orderBy(asc(users.createdMs), asc(users.id))
    .limit(maxClaims)
  for (const { userId, hash } of claiming) {
    if (hash && (await verifyPassword({ hash, password }))) return userId
  }
  return undefined
}
