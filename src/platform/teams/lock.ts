/** Locks a team's row, so that decisions about a team are serialized. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { teamDeleted } from '../callers/team-not-found.ts'
import type { TeamCaller } from './caller.ts'
import { updatedMs } from './read-team.ts'

export type LockedTeam = {
  id: string
  slug: string
  name: string
  personal: boolean
  factorRequired: boolean
  updatedMs: number
}

/**
 * The team by slug or id, if the caller sees one. With `update` nothing can be added to the team meanwhile.
 * The caller's membership has to be checked again: the user may have been removed during the wait.
 */
export async function lockTeam(
  tx: Database,
  caller: TeamCaller,
  reference: string,
  strength: 'update' | 'no key update',
): Promise<LockedTeam | undefined> {
  const column = isId('team', reference) ? teams.id : teams.slug
  const { userId, boundTo } = caller
  const ofUser = tx.select({ id: members.teamId }).from(members).where(eq(members.userId, userId))
  const [team] = await tx
    .select({
      id: teams.id,
      slug: teams.slug,
      name: teams.name,
      personal: teams.personal,
      factorRequired: teams.secondFactorRequired,
      updatedMs,
    })
    .from(teams)
    .where(
      and(
        eq(column, reference),
        isNull(teams.deletedMs),
        inArray(teams.id, ofUser),
        // A bound caller locks only its own team, so that two callers can't deadlock.
        boundTo && eq(teams.id, boundTo.teamId),
      ),
    )
    .for(strength)
  return team
}

/**
 * Keeps the team from being deleted until the transaction ends.
 * @throws AppError `team_not_found` if it was.
 */
export async function holdTeam(tx: Database, teamId: string): Promise<void> {
  const [team] = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.id, teamId), isNull(teams.deletedMs)))
    .for('key share')
  if (!team) throw teamDeleted()
}
