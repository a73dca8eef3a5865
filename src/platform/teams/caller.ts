/** The teams that a caller may see, and its role there. */
import type { Origin } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { type HeldBy, heldBy } from '../callers/hold-caller.ts'
import { hasLimitedKey, scopedKeyOf } from '../callers/key-limits/limits.ts'
import type { Role } from '../callers/principal.ts'
import { factorRequired, hasFactor } from '../callers/require-factor.ts'
import { lowerRole } from '../callers/roles.ts'

/** All teams of the user; or only one, with at most this role, if the credential is bound to it. */
export type TeamCaller = {
  userId: string
  origin: Origin
  credential: HeldBy
  /** As `hasFactor` says of the principal. */
  hasFactor: boolean
  boundTo?: {
    teamId: string
    role: Role
    /** The ids of the projects that its key is limited to; null without a limit of the key's own. */
    keyProjects: readonly string[] | null
    /** Whether its key has any limit of its own. */
    hasLimitedKey: boolean
  }
}

/** The teams that an actor may see: a session is a user's, keys and JWTs are bound to their team. */
export function teamCaller(actor: Actor): TeamCaller {
  const { principal } = actor
  const { kind, userId, teamId, role } = principal
  const caller = {
    userId,
    origin: originOf(actor),
    credential: heldBy(principal),
    hasFactor: hasFactor(principal),
  }
  if (kind === 'session') return caller
  const keyProjects = scopedKeyOf(principal) === undefined ? null : principal.projects
  return { ...caller, boundTo: { teamId, role, keyProjects, hasLimitedKey: hasLimitedKey(principal) } }
}

/** Whether the caller may see this team, given that its user is a member. */
export function sees({ boundTo }: TeamCaller, teamId: string): boolean {
  return boundTo === undefined || boundTo.teamId === teamId
}

/** The caller's role in a visible team where its user has `memberRole`. */
export function roleOf({ boundTo }: TeamCaller, memberRole: Role): Role {
  return boundTo ? lowerRole(boundTo.role, memberRole) : memberRole
}

/** Passes a caller who has the second factor that this team may require. @throws AppError */
export function requireFactorOf(caller: TeamCaller, team: { slug: string; factorRequired: boolean }): void {
  if (team.factorRequired && !caller.hasFactor) throw factorRequired(team.slug)
}
