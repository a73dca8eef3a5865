/** Has a branch of a project's repository fetched and deployed, though the forge has sent nothing. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { invalidField } from '../../../lib/errors.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Actor } from '../../callers/actor.ts'
import { followForge, productionBranchOf } from '../../git/production-branch.ts'
import { holdSight } from '../../projects/hold-sight.ts'
import { lockProject } from '../../projects/lock-project.ts'
import { branchName } from '../../projects/project-input.ts'
import { findProjectId } from '../../projects/read-project.ts'
import { projectReference } from '../../projects/reference.ts'
import { openRepositorySecret } from '../../projects/repository.ts'
import { findRepository, type KnownRepository } from '../find-repository.ts'
import { type AskDeps, askInTurn } from '../refs/ask-in-turn.ts'
import { isRefused, refusedRefs } from '../refs/refused-refs.ts'
import { userNames } from '../user-names.ts'
import { type ForgeDeliveryRecord, selectForgeDeliveries } from './list-forge-deliveries.ts'
import { keepDelivery } from './receive.ts'

/** Without `branch` it is the production branch. */
export const deployBranchInput = z.strictObject({
  project: projectReference,
  branch: branchName.optional(),
})

type Deps = AskDeps & { store: Store; envKey: Buffer; nowMs: () => number }

/** The name of the event in lists and in the log. */
const event = 'deploy'

/**
 * Queues it among what the forge sends, in the caller's name, once the forge has said its default branch: a
 * repository that can't be read, or lacks the branch, is refused at once. A forge that can't be reached is
 * left to the attempts of a worker.
 * @throws AppError `project_not_found`, `invalid_input`, `too_many_waiting`; as `holdSight` does.
 */
export async function deployBranch(
  deps: Deps,
  actor: Actor,
  { project: reference, branch: wanted }: z.infer<typeof deployBranchInput>,
  signal: AbortSignal,
): Promise<ForgeDeliveryRecord> {
  const { principal, address, requestId } = actor
  const projectId = await findProjectId(deps.store.lookUps, principal, reference)
  const repository = await findRepository(deps.store.db, projectId)
  if (!repository) throw invalidField('git.url', 'required: the project is connected to no repository')
  const defaultBranch = await askDefault(deps, repository, wanted, signal)
  return deps.store.transact(async (tx) => {
    const nowMs = deps.nowMs()
    const project = await lockProject(tx, principal, projectId)
    await holdSight(tx, principal, project.id)
    if (defaultBranch !== undefined) await followForge(tx, projectId, { branch: defaultBranch, nowMs })
    const branch = wanted ?? (await productionBranchOf(tx, projectId, []))
    const received = {
      forgeId: `${event}:${randomUUID()}`,
      event,
      plan: { branch, kind: 'deploy' as const, meta: { repository: repository.url }, by: principal.userId },
      from: { address, requestId },
      repository: repository.url,
    }
    const { answer } = await keepDelivery(tx, repository, received, nowMs)
    const [record] = await selectForgeDeliveries(tx).where(eq(forgeDeliveries.id, answer.delivery))
    if (!record) throw new Error('A delivery that was just kept is gone.')
    return record
  })
}

/** The default branch; undefined where the forge doesn't say it now. */
async function askDefault(
  deps: Deps,
  { teamId, projectId, url, provider, tokenSealed }: KnownRepository,
  branch: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const place = { projectId, url, kind: 'token' } as const
  const token = tokenSealed === null ? undefined : openRepositorySecret(deps.envKey, place, tokenSealed)
  const question = { url, user: userNames[provider], token, branch, signal }
  const refs = await askInTurn(deps, teamId, question)
  if ('answer' in refs) {
    if (isRefused(refs.answer)) throw refusedRefs(refs.answer, token !== undefined)
    return undefined
  }
  if (branch !== undefined && !refs.hasBranch)
    throw invalidField('branch', `${branch} is not in the repository`)
  return refs.defaultBranch
}
