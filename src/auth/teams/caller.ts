/** Which teams a caller may see, and as what. */
import type { Origin } from '../../events/record-events.ts'
import { type Actor, originOf } from '../actor.ts'
import { type HeldBy, heldBy } from '../hold.ts'
import type { Role } from '../principal.ts'
import { lowerRole } from '../roles.ts'

/** Sees all teams of the user; where the credential is bound to one team, only that, with no more than its role. */
export type TeamCaller = {
  userId: string
  origin: Origin
  credential: HeldBy
  boundTo?: { teamId: string; role: Role }
}

/** What the actor may see of teams: a session belongs to a person, keys and JWTs are bound to their team. */
export function teamCaller(actor: Actor): TeamCaller {
  const { kind, userId, teamId, role } = actor.principal
  const caller = { userId, origin: originOf(actor), credential: heldBy(actor.principal) }
  return kind === 'session' ? caller : { ...caller, boundTo: { teamId, role } }
}

/** Whether the caller may see this team, given that its user is a member there. */
export function sees({ boundTo }: TeamCaller, teamId: string): boolean {
  return boundTo === undefined || boundTo.teamId === teamId
}

/** What a caller may do in a team that it sees, where its user has `memberRole`. */
export function roleOf({ boundTo }: TeamCaller, memberRole: Role): Role {
  return boundTo ? lowerRole(boundTo.role, memberRole) : memberRole
}
