/** Which of its teams a signed-in person acts in. Keys and JWTs are bound to one and have no say in it. */

import { AppError } from '../errors.ts'
import type { Plan } from '../limits/plan.ts'
import type { Role } from './principal.ts'

export type Membership = { teamId: string; teamSlug: string; plan: Plan; personal: boolean; role: Role }

/**
 * The team referred to, by slug or id; without a reference the personal one, which is the person's own since it has no
 * other owner, or where there is none the first. `memberships` are in the order in which the person joined.
 * @throws AppError `team_not_found`, the same for a team that doesn't exist as for one of others.
 */
export function resolveTeam(memberships: Membership[], reference: string | undefined): Membership {
  const found =
    reference === undefined
      ? (memberships.find(({ personal, role }) => personal && role === 'owner') ?? memberships[0])
      : memberships.find(({ teamSlug, teamId }) => teamSlug === reference || teamId === reference)
  if (!found) throw new AppError('team_not_found', 'You are in no such team.')
  return found
}
