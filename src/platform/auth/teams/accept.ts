/** Accepts an invitation. */
import { and, count, eq } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { declinedInvitations, invitations } from '../../../stores/db/schema/invitations.ts'
import { members } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { type Actor, originOf } from '../actor.ts'
import { heldBy, holdCredential, holdUser } from '../hold-caller.ts'
import { isInvitation, lockInvitation, notInvited, requirePerson } from './invitations.ts'
import { limitTo } from './members.ts'
import type { TeamDetails } from './output.ts'
import { findTeam, getTeam } from './read.ts'

/** The maximum memberships of a user; pending invitations don't count. */
const maxJoined = 100

/**
 * Accepts the invitation to the team with this slug or id; does nothing for a member.
 * @throws AppError `role_required`, `unauthorized`, `team_not_found` without an invitation, `too_many_teams`.
 */
export async function acceptInvitation(
  { store, nowMs }: { store: Store; nowMs: () => number },
  actor: Actor,
  reference: string,
): Promise<TeamDetails> {
  const { userId } = actor.principal
  const origin = originOf(actor)
  const credential = heldBy(actor.principal)
  // Joining takes no second factor, whatever the team requires of its members then.
  const person = { userId, origin, credential, hasFactor: true }
  const joined = await store.transact(async (tx) => {
    await requirePerson(tx, actor.principal)
    const invitation = await lockInvitation(tx, userId, reference)
    if (!invitation) return undefined
    const { teamId, email, role } = invitation
    const projects = role === 'owner' ? null : invitation.projects
    await holdUser(tx, userId)
    await holdCredential(tx, credential)
    await checkRoom(tx, userId)
    await tx.delete(invitations).where(isInvitation(invitation))
    await tx
      .delete(declinedInvitations)
      .where(and(eq(declinedInvitations.teamId, teamId), eq(declinedInvitations.email, email)))
    const [made] = await tx
      .insert(members)
      .values({ teamId, userId, role, limited: projects !== null, joinedMs: nowMs() })
      // A member keeps the role and the limit that its owners gave it.
      .onConflictDoNothing()
      .returning({ teamId: members.teamId })
    tx.announce({ kind: 'member', id: userId })
    if (made) {
      if (projects) await limitTo(tx, teamId, [{ userId, projects }])
      await recordEvents(tx, { origin, nowMs: nowMs() }, [
        { teamId, type: 'member.added', data: { member: { user: userId, email, role } } },
      ])
    }
    return teamId
  })
  if (joined !== undefined) return getTeam(store, person, joined)
  const known = await findTeam(store, person, reference)
  if (!known) throw notInvited(reference)
  return known
}

async function checkRoom(tx: Database, userId: string): Promise<void> {
  const [joined] = await tx.select({ teams: count() }).from(members).where(eq(members.userId, userId))
  if ((joined?.teams ?? 0) < maxJoined) return
  throw new AppError(
    'too_many_teams',
    `A user may be in ${maxJoined} teams. Ask an owner of one of them to remove you first.`,
  )
}
