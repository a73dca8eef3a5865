/** Cancels a deployment in progress, or deletes one that has ended. */
import { and, eq, inArray } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { requireOwner } from '../callers/roles.ts'
import { releaseLabels } from '../projects/free-labels.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { releaseManifests } from '../sites/manifest.ts'
import { deploymentEvent } from './deployment-event.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import { lockWithProject } from './promote.ts'
import { withoutWorker } from './queued/held.ts'
import { getDeployment, toRecord } from './read-deployment.ts'
import { isFinal } from './state.ts'

/** A repeated cancel within this time gets the same response instead of deleting. */
const cancelRepeatMs = 60_000

/**
 * The canceled deployment, or confirmation of the deletion. The blobs of a deleted one are collected once
 * nothing references them.
 * @throws AppError `deployment_not_found`, `is_live`, `role_required` (deleting is for owners).
 */
export async function deleteDeployment(
  deps: SiteUrls & { store: Store; nowMs: () => number },
  actor: Actor,
  id: string,
): Promise<DeploymentRecord | { id: string; deleted: true }> {
  const nowMs = deps.nowMs()
  const { principal } = actor
  const { teamId } = principal
  const outcome = await deps.store.transact(async (tx) => {
    const { projectId, deployment } = await lockWithProject(tx, principal, id)
    const record = toRecord(deps, deployment)
    const tell = (kind: 'canceled' | 'deleted', record: DeploymentRecord) => {
      const event = deploymentEvent(kind, { teamId, projectId }, record)
      return recordEvents(tx, { origin: originOf(actor), nowMs }, [event])
    }
    if (deployment.state === 'canceled' && nowMs - (deployment.ended_ms ?? 0) < cancelRepeatMs)
      return 'canceled'
    tx.announce({ kind: 'deployment', id })
    if (!isFinal(deployment.state) && (await cancel(tx, id, nowMs))) {
      await tell('canceled', { ...record, state: 'canceled', ended_ms: nowMs })
      return 'canceled'
    }
    requireOwner(principal, 'delete a deployment')
    if (deployment.live)
      throw new AppError('is_live', 'This deployment is live: promote another one before you delete it.')
    await removeDeployments(tx, [id], nowMs)
    await tell('deleted', record)
    return 'deleted'
  })
  if (outcome === 'deleted') return { id, deleted: true }
  return getDeployment(deps, principal, id)
}

/** The builder is notified and kills its processes. The row is locked already. */
async function cancel(tx: Database, id: string, nowMs: number): Promise<boolean> {
  const isUnderWay = and(eq(deployments.id, id), inArray(deployments.state, ['queued', 'building']))
  const canceled = await tx
    .update(deployments)
    .set({ state: 'canceled', endedMs: nowMs, ...withoutWorker })
    .where(isUnderWay)
    .returning({ id: deployments.id })
  return canceled.length > 0
}

/** The manifests of a deployment: of what it serves, of its sources, and of its server. */
const manifestColumns = {
  manifestId: deployments.manifestId,
  sourceManifestId: deployments.sourceManifestId,
  serverManifestId: deployments.serverManifestId,
}

/**
 * Deletes deployments that aren't live, reserves their labels and those of branches that led to them for the
 * team, and releases their manifests for collection.
 */
export async function removeDeployments(tx: Transaction, ids: string[], nowMs: number): Promise<void> {
  const released = await releaseLabels(tx, inArray(hosts.deploymentId, ids), nowMs)
  for (const label of released) tx.announce({ kind: 'host', id: label })
  const removed = await tx.delete(deployments).where(inArray(deployments.id, ids)).returning(manifestColumns)
  const manifestIds = removed.flatMap((row) => Object.values(row)).flatMap((id) => id ?? [])
  await releaseManifests(tx, manifestIds, nowMs)
}
