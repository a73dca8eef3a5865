/** Fails builds that nobody else ends: those queued for too long, and those of lost workers. */
import { and, eq, gte, isNotNull, lt, not, or, sql } from 'drizzle-orm'
import { deployments } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import { isLeased } from '../../../stores/queue/lease.ts'
import { leaseMs } from '../../../stores/queue/queue.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { maxBeginnings } from './claim-build.ts'
import { perRound } from './end.ts'
import { failWhere } from './fail.ts'

type Deps = SiteUrls & {
  store: Store
  nowMs: () => number
  limits: BuildLimits
}

/** How long a deployment may be queued, and how long its build may take. */
export type BuildLimits = { queueTimeoutMs: number; buildTimeoutMs: number }

/** A worker itself ends a build in time, unless it hangs. */
const graceMs = 60_000

/** Works on any node, with workers or without. Resolves to whether there may be more. */
export async function failOverdueBuilds(deps: Deps): Promise<boolean> {
  const { store, nowMs, limits } = deps
  const ended = await store.transact(async (tx) => {
    const within = { ...deps, tx }
    const isBeingBuilt = isLeased(deployments.leaseUntilMs, { forMs: leaseMs, nowMs: nowMs() })
    // Literal states, to match the partial indexes of these rows.
    const isOverdue = and(
      eq(deployments.state, sql`'queued'`),
      isNotNull(deployments.sourceManifestId),
      lt(deployments.createdMs, nowMs() - limits.queueTimeoutMs),
    )
    const isLost = and(
      eq(deployments.state, sql`'building'`),
      not(isBeingBuilt),
      or(
        gte(deployments.attempts, maxBeginnings),
        lt(deployments.leaseUntilMs, nowMs() - limits.queueTimeoutMs),
      ),
    )
    const isStuck = and(
      eq(deployments.state, sql`'building'`),
      isBeingBuilt,
      lt(deployments.buildingMs, nowMs() - limits.buildTimeoutMs - graceMs),
    )
    return [
      await failWhere(within, isOverdue, {
        reason: 'queue_timeout',
        message:
          `No worker began the build within ${limits.queueTimeoutMs / 1000} s. ` +
          'Deploy again, or add workers.',
      }),
      await failWhere(within, isLost, {
        reason: 'worker_lost',
        message: 'Its workers were lost before the end of the build. Deploy again.',
      }),
      await failWhere(within, isStuck, {
        reason: 'build_timeout',
        message:
          `The build took longer than ${limits.buildTimeoutMs / 1000} s, ` +
          'and could not be stopped in time.',
      }),
    ]
  })
  return Math.max(...ended) >= perRound
}
