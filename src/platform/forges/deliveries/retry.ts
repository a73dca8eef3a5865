/** Tries a delivery of a forge again that has failed. */
import { and, eq, notExists } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { type Actor, originOf } from '../../callers/actor.ts'
import { sees } from '../../callers/scope.ts'
import { holdSight } from '../../projects/hold-sight.ts'
import { lockProject } from '../../projects/lock-project.ts'
import { projectNotFound } from '../../projects/read-project.ts'
import { projectReference } from '../../projects/reference.ts'
import { findRepository } from '../find-repository.ts'
import { maxLost } from './end.ts'
import { laterDeliveries } from './later.ts'
import { type ForgeDeliveryRecord, selectForgeDeliveries } from './list-forge-deliveries.ts'
import { forgeQueue, requireRoom } from './receive.ts'
import { isOfRepository, type Work, workSchema } from './work.ts'

export const retryInput = z.strictObject({ project: projectReference, delivery: z.string().max(100) })

type Deps = { store: Store; nowMs: () => number }

/**
 * Queues a failed delivery again, as often as the caller wants. In whose name it deploys, and what a fork's
 * takes, is looked up when it runs.
 * @throws AppError `project_not_found`, `delivery_not_found`, `delivery_pending`, `changed_since` for one
 * that has not failed, that something newer has replaced, or that is of another repository; `sources_gone`
 * for one that failed at an earlier version; `too_many_waiting`; as `holdSight` does.
 */
export async function retryForgeDelivery(
  { store, nowMs }: Deps,
  actor: Actor,
  input: z.infer<typeof retryInput>,
): Promise<ForgeDeliveryRecord> {
  const { principal } = actor
  return store.transact(async (tx) => {
    const project = await lockProject(tx, principal, input.project)
    if (!sees(principal, project.id)) throw projectNotFound(input.project)
    await holdSight(tx, principal, project.id)
    const ofProject = and(eq(forgeDeliveries.id, input.delivery), eq(forgeDeliveries.projectId, project.id))
    const [found] = await tx.select().from(forgeDeliveries).where(ofProject).for('update')
    if (!found) throw new AppError('delivery_not_found', 'The project has no such delivery of its forge.')
    const work = failedWork(found)
    await requireSameRepository(tx, project.id, work)
    await requireNewest(tx, found.id)
    await requireRoom(tx, project.id)
    await queueAgain(tx, actor, { project, delivery: found, work, nowMs: nowMs() })
    const [record] = await selectForgeDeliveries(tx).where(eq(forgeDeliveries.id, found.id))
    if (!record) throw new Error('A locked delivery is gone.')
    return record
  })
}

type Delivery = typeof forgeDeliveries.$inferSelect

function failedWork({ status, work }: Delivery): Work {
  if (status === 'pending') throw new AppError('delivery_pending', 'The delivery is being tried already.')
  if (status !== 'failed')
    throw new AppError('changed_since', `Only a delivery that failed is tried again; this one is ${status}.`)
  if (work === null) {
    throw new AppError(
      'sources_gone',
      'The delivery failed at an earlier version of the server, which kept nothing to try again: ' +
        'have the forge send it again, or push.',
    )
  }
  return workSchema.parse(work)
}

async function requireSameRepository(tx: Transaction, projectId: string, work: Work): Promise<void> {
  const repository = await findRepository(tx, projectId)
  if (repository && isOfRepository(work, repository)) return
  throw new AppError(
    'changed_since',
    repository
      ? `The delivery is of another repository than ${repository.url}, which the project deploys now.`
      : 'The project is connected to no repository any more.',
  )
}

/** An older commit must not replace a newer one, nor anything come back that was closed. */
async function requireNewest(tx: Transaction, id: string): Promise<void> {
  const [newest] = await tx
    .select({ id: forgeDeliveries.id })
    .from(forgeDeliveries)
    .where(and(eq(forgeDeliveries.id, id), notExists(laterDeliveries(tx))))
  if (!newest)
    throw new AppError('changed_since', 'Something newer of its branch or pull request is there already.')
}

type Again = { project: { id: string; name: string }; delivery: Delivery; work: Work; nowMs: number }

async function queueAgain(
  tx: Transaction,
  actor: Actor,
  { project, delivery, work, nowMs }: Again,
): Promise<void> {
  const { principal, address, requestId } = actor
  const { id, event, branch, commit, pullRequest } = delivery
  await tx
    .update(forgeDeliveries)
    .set({
      status: 'pending',
      work: { ...work, from: { address, requestId } },
      outcome: null,
      attempts: 0,
      // One more time, for what ended its workers.
      lost: Math.min(delivery.lost, maxLost - 1),
      dueMs: nowMs,
      endedMs: null,
    })
    .where(eq(forgeDeliveries.id, id))
  tx.announce({ kind: 'work', id: forgeQueue })
  const data = { delivery: { id, project: project.name, event, branch, commit, pull_request: pullRequest } }
  await recordEvents(tx, { origin: originOf(actor), nowMs }, [
    { teamId: principal.teamId, type: 'git.retried', projectId: project.id, data },
  ])
}
