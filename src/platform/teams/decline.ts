/** Declines an invitation, and hides repeated ones of that team for a while. */
import { and, eq, lte, sql } from 'drizzle-orm'
import { declinedInvitations, invitations } from '../../stores/db/schema/invitations.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { heldBy, holdCredential, holdUser } from '../callers/hold-caller.ts'
import type { Principal } from '../callers/principal.ts'
import { notInvited } from '../callers/team-not-found.ts'
import { isInvitation, lockInvitation, requirePerson } from './invitations.ts'

/** How long further invitations by the same team are hidden; they can still be accepted. */
const quietMs = 30 * 24 * 60 * 60 * 1000

/**
 * Declines the invitation to the team with this slug or id.
 * @throws AppError `role_required`, `unauthorized`, `team_not_found` without an invitation.
 */
export async function declineInvitation(
  { store, nowMs: now }: { store: Store; nowMs: () => number },
  principal: Principal,
  reference: string,
): Promise<{ team: string; declined: true }> {
  const nowMs = now()
  const team = await store.transact(async (tx) => {
    await requirePerson(tx, principal)
    const invitation = await lockInvitation(tx, principal.userId, reference)
    if (!invitation) throw notInvited(reference)
    await holdUser(tx, principal.userId)
    await holdCredential(tx, heldBy(principal))
    const { teamId, email, role, slug } = invitation
    await tx.delete(invitations).where(isInvitation(invitation))
    await tx
      .delete(declinedInvitations)
      .where(and(eq(declinedInvitations.email, email), lte(declinedInvitations.untilMs, nowMs)))
    await tx
      .insert(declinedInvitations)
      .values({ teamId, email, untilMs: nowMs + quietMs })
      .onConflictDoUpdate({
        target: [declinedInvitations.teamId, declinedInvitations.email],
        set: { untilMs: sql`excluded.until_ms` },
      })
    // Without the client's address, which is no business of a team that the user doesn't join.
    await recordEvents(tx, { origin: null, nowMs }, [
      { teamId, type: 'member.removed', data: { member: { user: null, email, role } } },
    ])
    return slug
  })
  return { team, declined: true }
}
