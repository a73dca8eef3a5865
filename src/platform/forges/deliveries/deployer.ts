/** In whose name a delivery is deployed. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { members } from '../../../stores/db/schema/teams.ts'
import type { Deployer } from '../../callers/actor.ts'
import { readDeployHook } from '../../hooks/find-hook.ts'
import type { KnownRepository } from '../find-repository.ts'
import type { Job } from './claim-forge-delivery.ts'
import type { TakingAway } from './take-away.ts'
import { forksRefused, type Work } from './work.ts'

/** Work that makes a deployment. */
export type Deploying = Exclude<Work, { kind: TakingAway }>

export function isDeploying(work: Work): work is Deploying {
  return work.kind === 'deploy' || work.kind === 'deploy_fork' || work.kind === 'fetch'
}

/**
 * Who connected the repository, has its branch deployed, made the deploy hook, or approved the commit of a
 * fork; a sentence where nobody may do the latter two any more.
 */
export async function deployerOf(
  db: Database,
  repository: KnownRepository,
  work: Deploying,
  { approvedBy }: Pick<Job, 'approvedBy'>,
): Promise<Deployer | string> {
  const { projectId, teamId, provider } = repository
  const own = { teamId, projects: [projectId] }
  if (work.kind === 'fetch') {
    const hook = await readDeployHook(db, work.hook)
    if (!hook) return 'The deploy hook was revoked, or whoever made it is no owner of the team any more.'
    return { principal: { kind: 'hook', userId: hook.userId, hookName: hook.name, ...own }, ...work.from }
  }
  const found =
    work.kind === 'deploy_fork'
      ? await findApprover(db, repository, approvedBy)
      : { userId: work.by ?? repository.userId }
  if ('refused' in found) return found.refused
  return { principal: { kind: 'forge', forge: provider, userId: found.userId, ...own }, ...work.from }
}

type Found = { userId: string } | { refused: string }

/** The approval counts for as long as who gave it is an owner. */
async function findApprover(
  db: Database,
  { teamId, takesForks }: KnownRepository,
  approvedBy: string | null,
): Promise<Found> {
  if (!takesForks || approvedBy === null) return { refused: forksRefused }
  const [approver] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.teamId, teamId), eq(members.userId, approvedBy)))
  if (approver?.role === 'owner') return { userId: approvedBy }
  return { refused: 'Who approved it is no owner of the team any more.' }
}
