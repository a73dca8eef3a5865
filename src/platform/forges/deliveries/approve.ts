/** An owner approves one head commit of a pull request of a fork. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { type Actor, originOf } from '../../callers/actor.ts'
import { holdOwner } from '../../callers/hold-caller.ts'
import { lockProject } from '../../projects/lock-project.ts'
import { projectReference } from '../../projects/reference.ts'
import { type ForgeDeliveryRecord, selectForgeDeliveries } from './list-forge-deliveries.ts'
import { forgeQueue } from './receive.ts'
import { workSchema } from './work.ts'

/** `commit` is the whole digest of what the owner looked at. */
export const approveInput = z.strictObject({
  project: projectReference,
  delivery: z.string().max(100),
  commit: z.string().max(64),
})

type Approved = z.infer<typeof approveInput>

type Deps = { store: Store; nowMs: () => number }

/**
 * Has the commit of a delivery that waits deployed as the caller. Approved already, nothing changes.
 * @throws AppError `role_required`, `project_not_found`, `delivery_not_found`, `changed_since` for another
 * commit than the delivery's, and for one that waits no more; as `holdCaller` does.
 */
export async function approveForgeDelivery(
  { store, nowMs }: Deps,
  actor: Actor,
  input: Approved,
): Promise<ForgeDeliveryRecord> {
  return store.transact(async (tx) => {
    await holdOwner(tx, actor.principal, 'approve pull requests of forks')
    const project = await lockProject(tx, actor.principal, input.project)
    const ofProject = and(eq(forgeDeliveries.id, input.delivery), eq(forgeDeliveries.projectId, project.id))
    const [found] = await tx.select().from(forgeDeliveries).where(ofProject).for('update')
    if (!found) throw new AppError('delivery_not_found', 'The project has no such delivery of its forge.')
    requireCommit(found, input)
    if (found.approvedBy === null) await approve(tx, actor, { project, delivery: found, nowMs: nowMs() })
    const [record] = await selectForgeDeliveries(tx).where(eq(forgeDeliveries.id, found.id))
    if (!record) throw new Error('A locked delivery is gone.')
    return record
  })
}

type Delivery = typeof forgeDeliveries.$inferSelect

/** Requires the commit that was looked at. @throws AppError `changed_since` for one that came since. */
function requireCommit({ commit }: Delivery, wanted: Approved): void {
  if (commit === wanted.commit) return
  throw new AppError(
    'changed_since',
    'This is not the commit of the delivery: list the deliveries, and look at the commit of this one.',
  )
}

async function approve(
  tx: Transaction,
  actor: Actor,
  { project, delivery, nowMs }: { project: { id: string; name: string }; delivery: Delivery; nowMs: number },
): Promise<void> {
  const { id, status, commit, pullRequest, outcome } = delivery
  if (status !== 'waiting' || commit === null || pullRequest === null) {
    const why = outcome === null ? '' : ` ${outcome}`
    throw new AppError('changed_since', `The delivery does not wait for an approval.${why}`)
  }
  const { principal, address, requestId } = actor
  const work = { ...workSchema.parse(delivery.work), from: { address, requestId } }
  await tx
    .update(forgeDeliveries)
    .set({ status: 'pending', approvedBy: principal.userId, work, outcome: null, dueMs: nowMs })
    .where(eq(forgeDeliveries.id, id))
  tx.announce({ kind: 'work', id: forgeQueue })
  const data = { pull_request: { project: project.name, number: pullRequest, commit } }
  await recordEvents(tx, { origin: originOf(actor), nowMs }, [
    { teamId: principal.teamId, type: 'git.approved', projectId: project.id, data },
  ])
}
