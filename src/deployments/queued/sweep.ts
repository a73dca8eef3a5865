/** Ends builds that nobody else ends: those that waited too long, and those whose workers are gone. */
import { and, eq, gte, isNotNull, lt, or, sql } from 'drizzle-orm'
import { deployments } from '../../db/schema/projects.ts'
import type { Store } from '../../db/store.ts'
import { maxBeginnings } from './claim.ts'
import { failWhere, perRound } from './fail.ts'

type Deps = {
  store: Store
  sitesUrl: string
  nowMs: () => number
  limits: BuildLimits
}

/** How long a deployment may wait for its build, and how long that may take. */
export type BuildLimits = { queueTimeoutMs: number; buildTimeoutMs: number }

/** A worker ends a build in time by itself, unless it hangs. */
const graceMs = 60_000

/** Works wherever there is a node, with workers or without. Resolves to whether there may be more. */
export async function sweepBuilds(deps: Deps): Promise<boolean> {
  const { store, nowMs, limits } = deps
  const ended = await store.transact(async (tx, announce) => {
    const within = { ...deps, tx, announce }
    // States stand in the text, since there are indexes of the rows in these alone.
    const isOverdue = and(
      eq(deployments.state, sql`'queued'`),
      isNotNull(deployments.sourceManifestId),
      lt(deployments.createdMs, nowMs() - limits.queueTimeoutMs),
    )
    const isLost = and(
      eq(deployments.state, sql`'building'`),
      lt(deployments.leaseUntilMs, nowMs()),
      or(
        gte(deployments.attempts, maxBeginnings),
        lt(deployments.leaseUntilMs, nowMs() - limits.queueTimeoutMs),
      ),
    )
    const isStuck = and(
      eq(deployments.state, sql`'building'`),
      gte(deployments.leaseUntilMs, nowMs()),
      lt(deployments.buildingMs, nowMs() - limits.buildTimeoutMs - graceMs),
    )
    return [
      await failWhere(within, isOverdue, {
        reason: 'queue_timeout',
        message: `No worker began the build within ${limits.queueTimeoutMs / 1000} s. Deploy again, or have more workers.`,
      }),
      await failWhere(within, isLost, {
        reason: 'worker_lost',
        message: 'The worker that built it was lost, and no other came to an end of it. Deploy again.',
      }),
      await failWhere(within, isStuck, {
        reason: 'build_timeout',
        message: `The build took longer than ${limits.buildTimeoutMs / 1000} s, and did not end when it was to.`,
      }),
    ]
  })
  return Math.max(...ended) >= perRound
}
