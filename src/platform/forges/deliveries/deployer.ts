/** In whose name a delivery is deployed. */
import type { Database } from '../../../stores/db/database.ts'
import type { Deployer } from '../../auth/actor.ts'
import { readDeployHook } from '../../hooks/find.ts'
import type { KnownRepository } from '../find-repository.ts'
import type { Work } from './work.ts'

/** Who connected the repository, or made the deploy hook; a sentence where that is nobody any more. */
export async function deployerOf(
  db: Database,
  { projectId, teamId, provider, userId }: KnownRepository,
  work: Exclude<Work, { kind: 'remove' | 'close' }>,
): Promise<Deployer | string> {
  const own = { teamId, projects: [projectId] }
  if (work.kind === 'fetch') {
    const hook = await readDeployHook(db, work.hook)
    if (!hook) return 'The deploy hook was revoked, or whoever made it left the team or the project.'
    return { principal: { kind: 'hook', userId: hook.userId, hookName: hook.name, ...own }, ...work.from }
  }
  if (userId === null)
    return 'Who connected the repository left the team or the project: an owner saves git.url again.'
  return { principal: { kind: 'forge', forge: provider, userId, ...own }, ...work.from }
}
