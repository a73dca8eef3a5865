/** Revokes the link of an invitation, and forgets links past their time. */
import { and, eq } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import type { Database } from '../../../stores/db/database.ts'
import { isFirstDue } from '../../../stores/db/first-due.ts'
import { invitationLinks, invitations } from '../../../stores/db/schema/invitations.ts'
import type { Store } from '../../../stores/db/store.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { holdCredential } from '../../callers/hold-caller.ts'
import type { TeamCaller } from '../caller.ts'
import { lockOwnedTeam } from '../lock-owned.ts'
import { ofInvitation } from './find-invitation-link.ts'

/**
 * Revokes a link of the team; the invitation stays. For owners.
 * @throws AppError `unauthorized`, `team_not_found`, `role_required`, `link_invalid`.
 */
export async function revokeInvitationLink(
  { store, nowMs }: { store: Store; nowMs: () => number },
  caller: TeamCaller,
  { team: reference, id }: { team: string; id: string },
): Promise<{ id: string; deleted: true }> {
  return store.transact(async (tx) => {
    const team = await lockOwnedTeam(tx, caller, reference, 'revoke links of its invitations')
    await holdCredential(tx, caller.credential)
    const [revoked] = await tx
      .select({ id: invitationLinks.id, email: invitationLinks.email, role: invitations.role })
      .from(invitationLinks)
      .innerJoin(invitations, ofInvitation)
      .where(and(eq(invitationLinks.id, id), eq(invitationLinks.teamId, team.id)))
    if (!revoked) {
      throw new AppError('link_invalid', 'The team has no such link: it was used, replaced or revoked.')
    }
    await tx.delete(invitationLinks).where(eq(invitationLinks.id, id))
    await recordEvents(tx, { origin: caller.origin, nowMs: nowMs() }, [
      { teamId: team.id, type: 'invitation_link.revoked', data: { invitation_link: revoked } },
    ])
    return { id, deleted: true }
  })
}

const forgottenAtOnce = 1_000

/** Forgets up to 1,000 links that expired. Resolves to how many. */
export async function deleteExpiredInvitationLinks({
  db,
  nowMs,
}: {
  db: Database
  nowMs: number
}): Promise<number> {
  const expired = { key: invitationLinks.id, dueMs: invitationLinks.expiresMs, lock: 'update' } as const
  const forgotten = await db
    .delete(invitationLinks)
    .where(isFirstDue(db, expired, forgottenAtOnce, nowMs))
    .returning({ id: invitationLinks.id })
  return forgotten.length
}
