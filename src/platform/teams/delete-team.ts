/** Deletes a team without projects. */
import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { events } from '../../stores/db/schema/events.ts'
import { declinedInvitations, invitations } from '../../stores/db/schema/invitations.ts'
import { logLines } from '../../stores/db/schema/logs.ts'
import { trafficGone } from '../../stores/db/schema/metrics.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { Store } from '../../stores/db/store.ts'
import { holdCredential } from '../callers/hold-caller.ts'
import { requireOwner } from '../callers/roles.ts'
import { teamNotFound } from '../callers/team-not-found.ts'
import { releaseTeam } from '../zones/claims/release-team.ts'
import { requireFactorOf, roleOf, type TeamCaller } from './caller.ts'
import { type LockedTeam, lockTeam } from './lock.ts'

/**
 * Deletes the team with its members, keys, invitations, domains, webhooks and logs, and frees its slug; once
 * this returns, this node refuses its keys. Files and traffic counts are collected later.
 * @throws AppError `unauthorized`, `team_not_found`, `role_required`, `personal_team`, `team_has_projects`.
 */
export async function deleteTeam(
  { store, nowMs }: { store: Store; nowMs: () => number },
  caller: TeamCaller,
  reference: string,
): Promise<{ id: string; deleted: true }> {
  const id = await store.transact(async (tx) => {
    const team = await lockTeam(tx, caller, reference, 'update')
    if (!team) throw teamNotFound(reference)
    await holdCredential(tx, caller.credential)
    const removed = await tx
      .delete(members)
      .where(eq(members.teamId, team.id))
      .returning({ userId: members.userId, role: members.role })
    const self = removed.find(({ userId }) => userId === caller.userId)
    if (!self) throw teamNotFound(reference)
    requireOwner({ role: roleOf(caller, self.role) }, 'delete it')
    requireFactorOf(caller, team)
    await checkDeletable(tx, team)
    await releaseTeam(tx, team.id, nowMs())
    await tx.delete(invitations).where(eq(invitations.teamId, team.id))
    await tx.delete(declinedInvitations).where(eq(declinedInvitations.teamId, team.id))
    await tx.delete(webhooks).where(eq(webhooks.teamId, team.id))
    await tx.delete(events).where(eq(events.teamId, team.id))
    await tx.delete(logLines).where(eq(logLines.teamId, team.id))
    await tx.insert(trafficGone).values({ scopeId: team.id, goneMs: nowMs() })
    await tx.update(teams).set({ slug: team.id, name: '', deletedMs: nowMs() }).where(eq(teams.id, team.id))
    tx.announce({ kind: 'team', id: team.id })
    for (const { userId } of removed) tx.announce({ kind: 'member', id: userId })
    return team.id
  })
  return { id, deleted: true }
}

async function checkDeletable(tx: Database, team: LockedTeam): Promise<void> {
  if (team.personal) throw new AppError('personal_team', "A personal team can't be deleted.")
  const [project] = await tx
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.teamId, team.id))
    .limit(1)
  if (project) {
    throw new AppError(
      'team_has_projects',
      `The team still has projects, such as ${project.name}. Delete them first.`,
    )
  }
}
