/**
 * Holds, until the transaction ends, what a caller's right to act rests on: it counts when it is used, not when the
 * request began. Locks are taken in one order by all: team, membership, user, then the key or session.
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { apiKeys } from '../db/schema/keys.ts'
import { sessions } from '../db/schema/sessions.ts'
import { members, teams, users } from '../db/schema/teams.ts'
import { AppError } from '../errors.ts'
import { unauthorized } from './credential.ts'
import type { Principal, Role } from './principal.ts'
import { lowerRole, requireOwner } from './roles.ts'

/** The key or session without which a credential is worth nothing; of a JWT what it was minted with. */
export type HeldBy = { keyId: string | null; sessionId: string | null }

/** What the principal's credential rests on. */
export function heldBy(principal: Principal): HeldBy {
  return {
    keyId: principal.kind === 'session' ? null : principal.keyId,
    sessionId: principal.kind === 'key' ? null : principal.sessionId,
  }
}

/**
 * The role that the caller has in its team at this moment; until the transaction ends nobody takes it, the membership or
 * the credential away, and nobody else changes who may do what in the team.
 * @throws AppError `unauthorized`, `team_not_found` for who is signed in.
 */
export async function holdCaller(tx: Database, principal: Principal): Promise<Role> {
  const role = await holdMembership(tx, principal)
  if (!role) {
    throw principal.kind === 'session'
      ? new AppError('team_not_found', 'You are in no such team.')
      : unauthorized()
  }
  await holdCredential(tx, heldBy(principal))
  return lowerRole(principal.role, role)
}

/** Holds the caller as `holdCaller` does. @throws AppError also `role_required` for who is no owner now. */
export async function holdOwner(tx: Database, principal: Principal, what: string): Promise<void> {
  requireOwner({ role: await holdCaller(tx, principal) }, what)
}

/** The user's role in the team, which then is nobody else's to change; undefined where one of them is gone. */
export async function holdMembership(
  tx: Database,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<Role | undefined> {
  await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.deletedMs)))
    .for('no key update')
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.teamId, teamId), eq(members.userId, userId)))
    .for('share')
  return member?.role
}

/** One at a time for each user. */
export async function holdUser(tx: Database, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/** Keeps the key or session from being ended, though not from being used. @throws AppError `unauthorized`. */
export async function holdCredential(tx: Database, { keyId, sessionId }: HeldBy): Promise<void> {
  if (keyId !== null) {
    const [key] = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.id, keyId))
      .for('key share')
    if (!key) throw unauthorized()
  }
  if (sessionId !== null) {
    const [session] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.id, sessionId))
      .for('key share')
    if (!session) throw unauthorized()
  }
}
