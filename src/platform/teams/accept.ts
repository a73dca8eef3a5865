/** Accepts an invitation. */
import type { Store } from '../../stores/db/store.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { heldBy, holdCredential, holdUser } from '../callers/hold-caller.ts'
import { notInvited } from '../callers/team-not-found.ts'
import { lockInvitation, requirePerson } from './invitations.ts'
import { joinTeam } from './join.ts'
import { findTeam, getTeam } from './read-team.ts'
import type { TeamDetails } from './team-output.ts'

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
    await holdUser(tx, userId)
    await holdCredential(tx, credential)
    await joinTeam(tx, invitation, { origin, nowMs: nowMs() })
    return invitation.teamId
  })
  if (joined !== undefined) return getTeam(store, person, joined)
  const known = await findTeam(store, person, reference)
  if (!known) throw notInvited(reference)
  return known
}
