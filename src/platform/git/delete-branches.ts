/** Forgets branches that a push deletes. */
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { removeBranchAddresses } from '../deployments/branch-address.ts'
import { holdSight } from '../projects/hold-sight.ts'
import { removeBranches } from './branches.ts'
import { unsettleDeleted } from './production-branch.ts'

type Deps = { store: Store; nowMs: () => number }

/**
 * Forgets those of these branches that there are, with their addresses; their deployments stay. Each has an
 * event. @throws AppError as `holdSight` does.
 */
export async function deleteBranches(
  { store, nowMs: now }: Deps,
  actor: Actor,
  { project, names }: { project: { id: string; name: string }; names: string[] },
): Promise<void> {
  await store.transact(async (tx) => {
    const nowMs = now()
    const { principal } = actor
    const { id: projectId } = project
    await holdSight(tx, principal, projectId)
    await removeBranchAddresses(tx, { projectId, branches: names }, nowMs)
    const removed = await removeBranches(tx, { projectId, names })
    const happened = removed.map((name) => branchDeleted(principal, project, name))
    const by = { origin: originOf(actor), nowMs }
    await recordEvents(tx, by, happened)
    await unsettleDeleted(tx, { projectId, names }, by)
  })
}

/** The event of a branch that was deleted. */
export function branchDeleted(
  { teamId }: { teamId: string },
  { id: projectId, name: project }: { id: string; name: string },
  name: string,
) {
  return { teamId, type: 'git.branch_deleted', projectId, data: { branch: { project, name } } } as const
}
