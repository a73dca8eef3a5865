/** One-time links to set a password: the first one creates the user, later ones reset the password. */
import { randomBytes } from 'node:crypto'
import { and, asc, eq, gt, isNull, not, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { asSecret, type Secret } from '../../lib/secret.ts'
import type { Database } from '../../stores/db/database.ts'
import { isFirstDue } from '../../stores/db/first-due.ts'
import { claimedAddresses, personLinks } from '../../stores/db/schema/people.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { hashToken } from '../callers/token.ts'
import { parseEmail } from './email.ts'
import { linkPath } from './paths.ts'
import { isUnproven } from './person-email.ts'

const hourMs = 3_600_000
const lifetimeMs = 72 * hourMs

/** That of a link that was mailed to somebody who forgot the password. */
export const resetLifetimeMs = hourMs

/** That of an invitation's link, mailed or handed out. */
export const invitationLifetimeMs = 7 * 24 * hourMs

/** 192 bits, so that its SHA-256 is all that has to be stored. */
const tokenBytes = 24

/** The secret of a link. */
export function newLinkToken(): Secret {
  return asSecret(randomBytes(tokenBytes).toString('base64url'))
}

const forgottenAtOnce = 1_000

export type PersonLink = { token: string; expiresMs: number }

/**
 * A new link for the user with this address, existing or not; without an address for the first user, as long
 * as that one has none. It replaces an earlier link of the same user.
 * @throws AppError `invalid_input`, `name_in_use` when the first user has an address.
 */
export async function createLink(
  store: Store,
  email: string | undefined,
  nowMs: number,
): Promise<PersonLink> {
  const address = email === undefined ? undefined : parseEmail(email)
  return store.transact(async (tx) => {
    const person = address === undefined ? { userId: await firstUserWithoutAddress(tx) } : { email: address }
    return insertLink(tx, person, { lifetimeMs, nowMs })
  })
}

/** The same, in the caller's transaction, for an address in lower case or a user without one. */
export async function insertLink(
  tx: Database,
  person: { email: string } | { userId: string },
  times: { lifetimeMs: number; nowMs: number },
): Promise<PersonLink> {
  const token = newLinkToken()
  const expiresMs = times.nowMs + times.lifetimeMs
  const link = { tokenSha256: hashToken(token), createdMs: times.nowMs, expiresMs }
  const target = 'email' in person ? personLinks.email : personLinks.userId
  await tx
    .insert(personLinks)
    .values({ ...link, ...person })
    .onConflictDoUpdate({ target, set: link })
  return { token, expiresMs }
}

/** The address of a link's page. */
export function linkUrl(apiUrl: string, token: string): string {
  return `${apiUrl}${linkPath}?token=${token}`
}

/** The link's address, or null if the user enters one; and who has that address. */
export type FoundLink = { email: string | null; isProven: boolean; isClaimed: boolean }

/** The link with this token; undefined for an invalid one. */
export async function findLink(db: Database, token: string, nowMs: number): Promise<FoundLink | undefined> {
  const [link] = await db
    .select({
      email: personLinks.email,
      isProven: sql<boolean>`exists (select from ${users} where ${users}.email = ${personLinks}.email)`,
      isClaimed: sql<boolean>`exists (select from ${claimedAddresses}
        where ${claimedAddresses}.email = ${personLinks}.email)`,
    })
    .from(personLinks)
    .where(validLink(token, nowMs))
  return link
}

/** Consumes a link, in the caller's transaction. @throws AppError `link_invalid`. */
export async function takeLink(
  tx: Database,
  token: string,
  nowMs: number,
): Promise<{ email: string | null; userId: string | null }> {
  const [link] = await tx
    .delete(personLinks)
    .where(validLink(token, nowMs))
    .returning({ email: personLinks.email, userId: personLinks.userId })
  if (!link) throw linkInvalid()
  return link
}

/** The error for any invalid link. */
export function linkInvalid(): AppError {
  return new AppError(
    'link_invalid',
    'This link was used, has expired, or was replaced by a newer one. ' +
      'Ask the operator for another: svc admin user.',
  )
}

/** Forgets up to 1,000 links that expired. Resolves to how many. */
export async function deleteExpiredLinks({ db, nowMs }: { db: Database; nowMs: number }): Promise<number> {
  const expired = { key: personLinks.tokenSha256, dueMs: personLinks.expiresMs, lock: 'update' } as const
  const forgotten = await db
    .delete(personLinks)
    .where(isFirstDue(db, expired, forgottenAtOnce, nowMs))
    .returning({ tokenSha256: personLinks.tokenSha256 })
  return forgotten.length
}

function validLink(token: string, nowMs: number) {
  return and(eq(personLinks.tokenSha256, hashToken(asSecret(token))), gt(personLinks.expiresMs, nowMs))
}

async function firstUserWithoutAddress(tx: Database): Promise<string> {
  const [first] = await tx
    .select({ userId: users.id })
    .from(teams)
    .innerJoin(members, eq(members.teamId, teams.id))
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.role, 'owner'), isNull(users.email), not(isUnproven)))
    .orderBy(asc(teams.createdMs), asc(members.joinedMs))
    .limit(1)
  if (first) return first.userId
  throw new AppError('name_in_use', 'The first user has an address: pass it, or that of another user.')
}
