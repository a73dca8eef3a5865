/** Whether a caller still sees a project, in the transaction of a change to it. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { heldBy, holdCredential } from '../callers/hold-caller.ts'
import { scopedKeyOf } from '../callers/key-limits/limits.ts'
import { limitedTo } from '../callers/look-ups/limited-to.ts'
import type { Principal } from '../callers/principal.ts'
import { sees } from '../callers/scope.ts'
import { unauthorized } from '../callers/unauthorized.ts'
import { projectNotFound } from './read-project.ts'

/**
 * Locks the caller's membership, as it is now, and its credential until the transaction ends, but not the
 * team: so it may come after the lock of a project.
 * @throws AppError `unauthorized`, `project_not_found`, `scope` for a job of a CI system.
 */
export async function holdSight(tx: Database, principal: Principal, projectId: string): Promise<void> {
  const { teamId, userId } = principal
  const [member] = await tx
    .select({ projects: limitedTo })
    .from(members)
    .innerJoin(teams, and(eq(teams.id, members.teamId), isNull(teams.deletedMs)))
    .where(and(eq(members.teamId, teamId), eq(members.userId, userId)))
    .for('share', { of: members })
  if (!member) throw unauthorized()
  await holdCredential(tx, heldBy(principal))
  const isBeyondKey = scopedKeyOf(principal) !== undefined && !sees(principal, projectId)
  if (isBeyondKey || !sees(member, projectId)) throw projectNotFound(projectId)
}
