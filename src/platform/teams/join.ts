/** Makes a person a member, in place of the invitation. */
import { and, count, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { declinedInvitations, invitations } from '../../stores/db/schema/invitations.ts'
import { members } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { type Origin, recordEvents } from '../../stores/events/record-events.ts'
import { isInvitation, type LockedInvitation } from './invitations.ts'
import { limitTo } from './members.ts'

/** The maximum memberships of a user; pending invitations don't count. */
const maxJoined = 100

/**
 * Makes the origin's user, who is locked, a member of the invitation's team. A member keeps the role and the
 * limit that its owners gave it.
 * @throws AppError `too_many_teams`.
 */
export async function joinTeam(
  tx: Transaction,
  invitation: LockedInvitation,
  { origin, nowMs }: { origin: Origin; nowMs: number },
): Promise<void> {
  const { teamId, email, role } = invitation
  const projects = role === 'owner' ? null : invitation.projects
  const { userId } = origin
  await checkRoom(tx, userId)
  await tx.delete(invitations).where(isInvitation(invitation))
  await tx
    .delete(declinedInvitations)
    .where(and(eq(declinedInvitations.teamId, teamId), eq(declinedInvitations.email, email)))
  const [made] = await tx
    .insert(members)
    .values({ teamId, userId, role, limited: projects !== null, joinedMs: nowMs })
    .onConflictDoNothing()
    .returning({ teamId: members.teamId })
  tx.announce({ kind: 'member', id: userId })
  if (!made) return
  if (projects) await limitTo(tx, teamId, [{ userId, projects }])
  await recordEvents(tx, { origin, nowMs }, [
    { teamId, type: 'member.added', data: { member: { user: userId, email, role } } },
  ])
}

async function checkRoom(tx: Database, userId: string): Promise<void> {
  const [joined] = await tx.select({ teams: count() }).from(members).where(eq(members.userId, userId))
  if ((joined?.teams ?? 0) < maxJoined) return
  throw new AppError(
    'too_many_teams',
    `A user may be in ${maxJoined} teams. Ask an owner of one of them to remove you first.`,
  )
}
