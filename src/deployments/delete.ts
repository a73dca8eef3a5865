/** Cancels a deployment in progress, or deletes one that has ended. */

import { and, eq, inArray } from 'drizzle-orm'
import type { Principal } from '../auth/principal.ts'
import { requireOwner } from '../auth/roles.ts'
import type { Database } from '../db/open.ts'
import { hosts } from '../db/schema/hosts.ts'
import { manifests } from '../db/schema/manifests.ts'
import { deployments } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { AppError } from '../errors.ts'
import { lockWithProject } from './promote.ts'
import { type DeploymentRecord, getDeployment } from './read.ts'
import { isFinal } from './state.ts'

/** A cancel that is repeated within this time gets the same answer again instead of deleting. */
const cancelRepeatMs = 60_000

/**
 * The canceled deployment, or the proof of its deletion. The blobs of a deleted one are collected once nothing refers
 * to them.
 * @throws AppError `deployment_not_found`, `is_live`, `role_required` (deleting is for owners).
 */
export async function deleteDeployment(
  { store, sitesUrl, nowMs: now }: { store: Store; sitesUrl: string; nowMs: () => number },
  principal: Principal,
  id: string,
): Promise<DeploymentRecord | { id: string; deleted: true }> {
  const nowMs = now()
  const outcome = await store.transact(async (tx, announce) => {
    const { deployment } = await lockWithProject(tx, principal.teamId, id)
    if (deployment.state === 'canceled' && nowMs - (deployment.ended_ms ?? 0) < cancelRepeatMs)
      return 'canceled'
    announce({ kind: 'deployment', id })
    if (!isFinal(deployment.state) && (await cancel(tx, id, nowMs))) return 'canceled'
    requireOwner(principal, 'delete a deployment')
    if (deployment.live)
      throw new AppError('is_live', 'This deployment is live: promote another one before you delete it.')
    await removeDeployments(tx, [id], nowMs)
    announce({ kind: 'host', id: deployment.host })
    return 'deleted'
  })
  if (outcome === 'deleted') return { id, deleted: true }
  return getDeployment({ store, sitesUrl }, principal.teamId, id)
}

async function cancel(tx: Database, id: string, nowMs: number): Promise<boolean> {
  const canceled = await tx
    .update(deployments)
    .set({ state: 'canceled', endedMs: nowMs })
    .where(and(eq(deployments.id, id), inArray(deployments.state, ['queued', 'building'])))
    .returning({ id: deployments.id })
  return canceled.length > 0
}

/** Removes deployments that aren't live, with their hosts, and releases their manifests for collection. */
export async function removeDeployments(tx: Database, ids: string[], nowMs: number): Promise<void> {
  await tx.delete(hosts).where(inArray(hosts.deploymentId, ids))
  const removed = await tx
    .delete(deployments)
    .where(inArray(deployments.id, ids))
    .returning({ manifestId: deployments.manifestId })
  const manifestIds = removed.flatMap(({ manifestId }) => manifestId ?? [])
  if (manifestIds.length > 0) {
    await tx.update(manifests).set({ releasedMs: nowMs }).where(inArray(manifests.id, manifestIds))
  }
}
