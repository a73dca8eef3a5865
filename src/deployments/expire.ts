/** Deletes previews that are older than their project keeps them. */

import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { deployments, projects } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { removeDeployments } from './delete.ts'

const dayMs = 24 * 60 * 60 * 1000
const perRound = 100

/**
 * Deletes up to 100 previews past their project's `preview_ttl_days`. One that is or was live is kept, since it can be
 * rolled back to. Returns whether there may be more.
 */
export async function expirePreviews({ store, nowMs }: { store: Store; nowMs: number }): Promise<boolean> {
  return store.transact(async (tx, announce) => {
    const expired = await tx
      .select({ id: deployments.id, host: deployments.host })
      .from(projects)
      .innerJoin(deployments, eq(deployments.projectId, projects.id))
      .where(
        and(
          isNotNull(projects.previewTtlDays),
          eq(deployments.target, 'preview'),
          isNull(deployments.liveSinceMs),
          inArray(deployments.state, ['ready', 'error', 'canceled']),
          sql`${deployments.createdMs} < ${nowMs}::bigint - ${projects.previewTtlDays} * ${dayMs}::bigint`,
        ),
      )
      .limit(perRound)
      .for('update', { of: deployments, skipLocked: true })
    if (expired.length === 0) return false
    await removeDeployments(
      tx,
      expired.map(({ id }) => id),
      nowMs,
    )
    for (const { host } of expired) announce({ kind: 'host', id: host })
    return expired.length === perRound
  })
}
