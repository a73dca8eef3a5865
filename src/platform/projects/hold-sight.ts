/** Whether a caller still sees a project, in the transaction of a change to it. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { heldBy, holdCredential } from '../auth/hold-caller.ts'
import { limitedTo } from '../auth/look-ups/limited-to.ts'
import type { Principal } from '../auth/principal.ts'
import { sees } from '../auth/scope.ts'
import { unauthorized } from '../auth/unauthorized.ts'
import { projectNotFound } from './read.ts'

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
  if (!sees(member, projectId)) throw projectNotFound(projectId)
}
