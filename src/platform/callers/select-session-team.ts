/** Selects the team of a signed-in user. Keys and JWTs are bound to one. */

import type { Plan } from '../../lib/plan.ts'
import type { Role } from './principal.ts'
import { notMember } from './team-not-found.ts'

/** `projects` are the ids of those that the user is limited to; null without a limit. */
export type Membership = {
  teamId: string
  teamSlug: string
  plan: Plan
  personal: boolean
  /** Whether the team requires a second factor. */
  factorRequired: boolean
  role: Role
  projects: readonly string[] | null
}

/**
 * The team by slug or id; by default the personal one, or the first if there is none. `memberships` are in
 * the order in which the user joined.
 * @throws AppError `team_not_found`, the same for a missing team as for one of others.
 */
export function selectSessionTeam(memberships: Membership[], reference: string | undefined): Membership {
  const found =
    reference === undefined
      ? (memberships.find(({ personal, role }) => personal && role === 'owner') ?? memberships[0])
      : memberships.find(({ teamSlug, teamId }) => teamSlug === reference || teamId === reference)
  if (!found) throw notMember()
  return found
}
