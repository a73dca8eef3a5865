/** A user's invitations: nobody joins a team without accepting. */
import { and, desc, eq, gt, inArray, isNull, notExists } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterCursor, type Page, pageOf } from '../../stores/db/page.ts'
import { declinedInvitations, invitations } from '../../stores/db/schema/invitations.ts'
import { teams, users } from '../../stores/db/schema/teams.ts'
import type { Principal, Role } from '../callers/principal.ts'
import type { InvitationRecord } from './team-output.ts'

/** An invitation, while its team is locked. */
export type LockedInvitation = {
  teamId: string
  slug: string
  email: string
  role: Role
  projects: string[] | null
}

/** Only a verified address counts. */
const ofVerified = and(eq(users.email, invitations.email), users.emailVerified)

/**
 * Passes users: signed in, or with an owner credential of the personal team. A key for one team doesn't
 * reveal the user's other invitations.
 * @throws AppError `role_required`.
 */
export async function requirePerson(db: Database, { kind, teamId, role }: Principal): Promise<void> {
  if (kind === 'session') return
  const [team] = await db.select({ personal: teams.personal }).from(teams).where(eq(teams.id, teamId))
  if (team?.personal && role === 'owner') return
  throw new AppError(
    'role_required',
    'Invitations belong to a user: sign in, or use an owner key of your personal team.',
  )
}

/**
 * The user's invitations, newest first, without those of teams that it declined recently.
 * @throws AppError `role_required`, `invalid_cursor`.
 */
export async function listInvitations(
  { db, nowMs }: { db: Database; nowMs: number },
  principal: Principal,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<InvitationRecord>> {
  await requirePerson(db, principal)
  const declined = db
    .select({ teamId: declinedInvitations.teamId })
    .from(declinedInvitations)
    .where(
      and(
        eq(declinedInvitations.teamId, invitations.teamId),
        eq(declinedInvitations.email, invitations.email),
        gt(declinedInvitations.untilMs, nowMs),
      ),
    )
  const rows = await db
    .select({
      id: teams.id,
      team: teams.slug,
      name: teams.name,
      role: invitations.role,
      created_ms: invitations.createdMs,
    })
    .from(users)
    .innerJoin(invitations, ofVerified)
    .innerJoin(teams, and(eq(teams.id, invitations.teamId), isNull(teams.deletedMs)))
    .where(
      and(
        eq(users.id, principal.userId),
        notExists(declined),
        afterCursor('team', cursor, invitations.createdMs, invitations.teamId),
      ),
    )
    .orderBy(desc(invitations.createdMs), desc(invitations.teamId))
    .limit(limit + 1)
  return pageOf(rows, limit, (row) => [row.created_ms, row.id])
}

/** The user's invitation by a team's slug or id, with the team locked against changes of its members. */
export async function lockInvitation(
  tx: Database,
  userId: string,
  reference: string,
): Promise<LockedInvitation | undefined> {
  const ofUser = (columns: { id: typeof invitations.teamId }) =>
    tx.select(columns).from(invitations).innerJoin(users, ofVerified).where(eq(users.id, userId))
  const column = isId('team', reference) ? teams.id : teams.slug
  const [team] = await tx
    .select({ id: teams.id, slug: teams.slug })
    .from(teams)
    .where(
      and(
        eq(column, reference),
        isNull(teams.deletedMs),
        inArray(teams.id, ofUser({ id: invitations.teamId })),
      ),
    )
    .for('no key update')
  if (!team) return undefined
  // The invitation may have been withdrawn, or changed its role, while this waited for the lock.
  const [invitation] = await tx
    .select({
      teamId: invitations.teamId,
      email: invitations.email,
      role: invitations.role,
      projects: invitations.projects,
    })
    .from(invitations)
    .innerJoin(users, ofVerified)
    .where(and(eq(users.id, userId), eq(invitations.teamId, team.id)))
  return invitation && { ...invitation, slug: team.slug }
}

/** The condition for one invitation. */
export function isInvitation({ teamId, email }: LockedInvitation) {
  return and(eq(invitations.teamId, teamId), eq(invitations.email, email))
}
