/** Locks a team for a change by one of its owners. */
import type { Database } from '../../stores/db/database.ts'
import { holdMembership } from '../callers/hold-caller.ts'
import { requireOwner } from '../callers/roles.ts'
import { teamNotFound } from '../callers/team-not-found.ts'
import { requireFactorOf, roleOf, type TeamCaller } from './caller.ts'
import { type LockedTeam, lockTeam } from './lock.ts'

/**
 * The team by slug or id, locked, which the caller owns now; `what` completes "Only an owner of the team
 * may …". The user and the credential are still to be held.
 * @throws AppError `team_not_found`, `role_required`, `second_factor_required`.
 */
export async function lockOwnedTeam(
  tx: Database,
  caller: TeamCaller,
  reference: string,
  what: string,
): Promise<LockedTeam> {
  const team = await lockTeam(tx, caller, reference, 'no key update')
  if (!team) throw teamNotFound(reference)
  const role = await holdMembership(tx, { teamId: team.id, userId: caller.userId })
  if (!role) throw teamNotFound(reference)
  requireOwner({ role: roleOf(caller, role) }, what)
  requireFactorOf(caller, team)
  return team
}
