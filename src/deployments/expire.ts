/** Deletes previews that are older than their project keeps them. */

import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { deployments, projects } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { recordEvents } from '../events/record-events.ts'
import { removeDeployments } from './delete.ts'
import { deploymentEvent } from './event-data.ts'
import { ownColumns, projectColumns, toRecord } from './read.ts'

const dayMs = 24 * 60 * 60 * 1000
const perRound = 100

type Deps = { store: Store; sitesUrl: string; nowMs: number }

/**
 * Deletes up to 100 previews past their project's `preview_ttl_days`. One that is or was live is kept, since it can be
 * rolled back to. Returns how many.
 */
export async function expirePreviews({ store, sitesUrl, nowMs }: Deps): Promise<number> {
  return store.transact(async (tx, announce) => {
    const expired = await tx
      .select({ teamId: deployments.teamId, projectId: projects.id, ...ownColumns, ...projectColumns })
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
    if (expired.length === 0) return 0
    await removeDeployments(
      tx,
      expired.map(({ id }) => id),
      nowMs,
    )
    for (const { host } of expired) announce({ kind: 'host', id: host })
    const happened = expired.map(({ teamId, projectId, ...row }) =>
      deploymentEvent('deleted', { teamId, projectId }, toRecord(sitesUrl, { ...row, live: false })),
    )
    await recordEvents(tx, announce, { origin: null, nowMs }, happened)
    return expired.length
  })
}
