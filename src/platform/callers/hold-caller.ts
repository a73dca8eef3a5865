/**
 * Locks the rows that a caller's permission depends on until the transaction ends, so that it is checked when
 * it is used, not when the request began. The lock order is always: team, membership, user, then key or
 * session.
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { members, teams, users } from '../../stores/db/schema/teams.ts'
import type { Principal, Role } from './principal.ts'
import { lowerRole, requireOwner } from './roles.ts'
import { notMember } from './team-not-found.ts'
import { unauthorized } from './unauthorized.ts'
import { beyondScope } from './workloads/require-opened.ts'

/** The key or session behind a credential; for a JWT the one that minted it. */
export type HeldBy = { keyId: string | null; sessionId: string | null }

/** The rows behind the principal's credential. @throws AppError `scope` for a job of a CI system. */
export function heldBy(principal: Principal): HeldBy {
  switch (principal.kind) {
    case 'key':
      return { keyId: principal.keyId, sessionId: null }
    case 'session':
      return { keyId: null, sessionId: principal.sessionId }
    case 'jwt':
      return { keyId: principal.keyId, sessionId: principal.sessionId }
    case 'workload':
      throw beyondScope('do this')
  }
}

/**
 * Locks the caller's role in its team: until the transaction ends nobody can change the role, the membership
 * or the credential, or the permissions of others in the team.
 * @throws AppError `unauthorized`, `team_not_found` for a session.
 */
export async function holdCaller(tx: Database, principal: Principal): Promise<Role> {
  const role = await holdMembership(tx, principal)
  if (!role) {
    throw principal.kind === 'session' ? notMember() : unauthorized()
  }
  await holdCredential(tx, heldBy(principal))
  return lowerRole(principal.role, role)
}

/** Locks the caller as `holdCaller` does. @throws AppError also `role_required` if it is no owner. */
export async function holdOwner(tx: Database, principal: Principal, what: string): Promise<void> {
  requireOwner({ role: await holdCaller(tx, principal) }, what)
}

/** The user's role in the team, locked against changes; undefined if the team or the membership is gone. */
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

/** Serializes transactions of the same user. */
export async function holdUser(tx: Database, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/** Keeps the key or session from being revoked, but not from being used. @throws AppError `unauthorized`. */
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
