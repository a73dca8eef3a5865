/** Joins a team by the link of an invitation: with a new account, or with the one of a session. */
import { and, count, eq, isNull } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { claimedAddresses } from '../../../stores/db/schema/people.ts'
import { teams, users } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { holdCredential, holdUser } from '../../callers/hold-caller.ts'
import type { Asking } from '../../callers/require-session.ts'
import { findByPassword, maxClaims } from '../../people/find-by-password.ts'
import { hashPassword } from '../../people/password.ts'
import { isClaimOf } from '../../people/person-email.ts'
import { setPassword } from '../../people/set-password.ts'
import { insertClaimant } from '../../people/sign-up.ts'
import { joinTeam } from '../join.ts'
import { findLinkedInvitation, type LinkedInvitation } from './find-invitation-link.ts'
import type { NewAccount } from './invitation-link-input.ts'

type Deps = { store: Store; nowMs: () => number }

/** A use of a link, and the request that makes it. */
export type LinkUse = { token: string; address: string; requestId: string }

/**
 * Makes an account that claims the invited address, and a member of the team: the link uses itself up. The
 * address stays unproven, since an owner of the team made the link, and may have used it.
 * @throws AppError `link_invalid`, `sign_in_unavailable`; `name_in_use` where the password opens an account
 * with this address, which then is ambiguous, or where too many accounts claim it.
 */
export async function joinWithNewAccount(
  { store, nowMs }: Deps,
  { token, ...request }: LinkUse,
  { name, password }: NewAccount,
): Promise<{ email: string; slug: string }> {
  const known = await findLinkedInvitation(store.db, token, nowMs())
  // Checked before a password is hashed, which is too expensive to do for strangers.
  if (!known) throw linkUsedUp()
  const { email } = known
  if ((await findByPassword(store.db, { email, password })) !== undefined) {
    throw new AppError('name_in_use', `You have an account with ${email} and this password: sign in first.`)
  }
  const passwordHash = await hashPassword(password)
  return store.transact(async (tx) => {
    const invitation = await lockLinked(tx, known, { token, nowMs: nowMs() })
    await requireFewClaims(tx, email)
    const userId = newId('user', nowMs())
    await insertClaimant(tx, { id: userId, email, name }, nowMs())
    await setPassword(tx, { userId, passwordHash }, nowMs())
    const origin = { userId, keyId: null, ...request }
    await joinTeam(tx, invitation, { origin, nowMs: nowMs() })
    return { email, slug: invitation.slug }
  })
}

/**
 * Makes the session's user a member of the team, whose proven address is the invited one.
 * @throws AppError `link_invalid`, `unauthorized`, `role_required` for somebody else, `too_many_teams`.
 */
export async function joinWithAccount(
  { store, nowMs }: Deps,
  { token, ...request }: LinkUse,
  { userId, sessionId }: Asking,
): Promise<{ slug: string }> {
  const known = await findLinkedInvitation(store.db, token, nowMs())
  if (!known) throw linkUsedUp()
  return store.transact(async (tx) => {
    const invitation = await lockLinked(tx, known, { token, nowMs: nowMs() })
    await holdUser(tx, userId)
    await holdCredential(tx, { keyId: null, sessionId })
    const isInvited = and(eq(users.id, userId), eq(users.email, invitation.email), users.emailVerified)
    const [person] = await tx.select({ id: users.id }).from(users).where(isInvited)
    if (!person) throw new AppError('role_required', 'The invitation is for somebody else.')
    const origin = { userId, keyId: null, ...request }
    await joinTeam(tx, invitation, { origin, nowMs: nowMs() })
    return { slug: invitation.slug }
  })
}

/** The error for any link of an invitation that isn't valid. */
export function linkUsedUp(): AppError {
  return new AppError(
    'link_invalid',
    'This link was used, has expired, was replaced by a newer one, or the invitation was withdrawn. ' +
      'Ask who invited you for another.',
  )
}

/** The invitation as it is now, with its team locked: of two uses at once, the second finds none. */
async function lockLinked(
  tx: Database,
  { teamId }: LinkedInvitation,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<LinkedInvitation> {
  await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.deletedMs)))
    .for('no key update')
  const invitation = await findLinkedInvitation(tx, token, nowMs)
  if (!invitation) throw linkUsedUp()
  return invitation
}

async function requireFewClaims(tx: Database, email: string): Promise<void> {
  const [claims] = await tx.select({ many: count() }).from(claimedAddresses).where(isClaimOf(email))
  if ((claims?.many ?? 0) < maxClaims) return
  throw new AppError(
    'name_in_use',
    `Too many accounts claim ${email} without a proof. ` +
      'The operator can create a link for you: svc admin user.',
  )
}
