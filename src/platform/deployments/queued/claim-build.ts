/** Claims builds for a worker, with a lease. */
import { and, asc, eq, inArray, lt, not, notInArray, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import {
  type DeploymentBuild,
  deployments,
  type GivenBuild,
  projects,
  type RuntimeSettings,
} from '../../../stores/db/schema/projects.ts'
import { teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'
import { isLeased } from '../../../stores/queue/lease.ts'
import { leaseMs } from '../../../stores/queue/queue.ts'
import type { EnvTarget } from '../../projects/env.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { cancelWithoutRight } from './cancel-without-right.ts'
import { type Held, isHeld } from './held.ts'
import { firstTurns, noteTurns } from './turns.ts'

/** The queue that is notified when a deployment is queued. */
export const buildQueue = 'builds'

/** How often a build is started before it fails. */
export const maxBeginnings = 2

/** Spare candidates of each team, since other workers may be claiming the first ones. */
const takenByOthers = 16

/** A claimed build. */
export type BuildJob = Held & {
  teamId: string
  teamSlug: string
  projectId: string
  project: string
  host: string
  target: EnvTarget
  build: DeploymentBuild
  /** The settings that its request gave by itself; null where they aren't known. */
  buildGiven: GivenBuild | null
  /** The settings of its server that aren't the initial ones. */
  runtime: Partial<RuntimeSettings>
  meta: Record<string, string>
  sourceManifestId: number
  /** Whether it is built without variables, and with registries as its only network. */
  untrusted: boolean
}

type StoreDeps = { store: Store; nowMs: () => number }

type Deps = SiteUrls & StoreDeps

/** `running` are the ids of this worker's builds, whatever their leases say. */
type Claim = { worker: string; running: string[]; limit: number }

/**
 * Claims at most `limit` builds: those with expired leases, then queued ones, in the order of `turns`.
 * Cancels those in turn whose makers have lost the right to them.
 */
export async function claimBuilds(deps: Deps, claim: Claim): Promise<BuildJob[]> {
  const { store, nowMs } = deps
  return store.transact(async (tx) => {
    const due = await lockDue(tx, claim, nowMs())
    const ids = await cancelWithoutRight({ ...deps, tx, nowMs: nowMs() }, due)
    // Others are next in place of the canceled ones.
    if (ids.length < due.length) tx.announce({ kind: 'work', id: buildQueue })
    if (ids.length === 0) return []
    const begun = { state: 'building', worker: claim.worker, buildingMs: nowMs() } as const
    const taken = await tx
      .update(deployments)
      .set({ ...begun, leaseUntilMs: nowMs() + leaseMs, attempts: oneMore })
      .from(projects)
      .innerJoin(teams, eq(teams.id, projects.teamId))
      .where(and(eq(projects.id, deployments.projectId), inArray(deployments.id, ids)))
      .returning(jobColumns)
    await noteTurns(tx, [...new Set(taken.map(({ teamId }) => teamId))], nowMs())
    for (const { id } of taken) tx.announce({ kind: 'deployment', id })
    for (const id of new Set(taken.map(({ teamId }) => teamId))) tx.announce({ kind: 'event', id })
    return taken.flatMap(({ sourceManifestId, ...job }) =>
      sourceManifestId === null ? [] : { ...job, worker: claim.worker, sourceManifestId },
    )
  })
}

const oneMore = sql`${deployments.attempts} + 1`

const jobColumns = {
  id: deployments.id,
  attempts: deployments.attempts,
  teamId: deployments.teamId,
  teamSlug: teams.slug,
  projectId: deployments.projectId,
  project: projects.name,
  host: deployments.host,
  target: deployments.target,
  build: deployments.build,
  buildGiven: deployments.buildGiven,
  runtime: projects.runtime,
  meta: deployments.meta,
  sourceManifestId: deployments.sourceManifestId,
  untrusted: deployments.untrusted,
}

async function lockDue(tx: Database, { running, limit }: Claim, nowMs: number): Promise<string[]> {
  const lost = await tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.state, sql`'building'`),
        not(isLeased(deployments.leaseUntilMs, { forMs: leaseMs, nowMs })),
        lt(deployments.attempts, maxBeginnings),
        notInArray(deployments.id, running),
      ),
    )
    .orderBy(asc(deployments.leaseUntilMs))
    .limit(limit)
    .for('update', { skipLocked: true })
  const left = limit - lost.length
  const waiting = left === 0 ? [] : await waitingQuery(tx, left)
  return [...lost, ...waiting].map(({ id }) => id)
}

/** Locks the first `limit` unlocked queued ones. Reads some of each team, however many are queued. */
export function waitingQuery(tx: Database, limit: number) {
  // One after another in their order, and each by its id: a join might read all queued ones.
  const taken = sql`
    (select id from ${firstTurns(limit + takenByOthers)} as line order by place) as line cross join lateral (
      select id from ${deployments} where id = line.id and state = 'queued' for update skip locked) as taken`
  return tx.select({ id: sql<string>`taken.id` }).from(taken).limit(limit)
}

/** Extends the leases, and resolves to the ids of those that are still this worker's. */
export async function extendBuilds(
  { store, nowMs }: StoreDeps,
  worker: string,
  ids: string[],
): Promise<string[]> {
  const held = await store.db
    .update(deployments)
    .set({ leaseUntilMs: nowMs() + leaseMs })
    .where(
      and(inArray(deployments.id, ids), eq(deployments.state, 'building'), eq(deployments.worker, worker)),
    )
    .returning({ id: deployments.id })
  return held.map(({ id }) => id)
}

/**
 * Queues a stopping worker's build again, as if it had not been started. Does nothing if the worker has lost
 * it.
 */
export async function giveBackBuild({ store }: StoreDeps, held: Held): Promise<void> {
  await store.transact(async (tx) => {
    const given = await tx
      .update(deployments)
      .set({
        state: 'queued',
        attempts: held.attempts - 1,
        buildingMs: null,
        worker: null,
        leaseUntilMs: null,
      })
      .where(isHeld(held))
      .returning({ id: deployments.id })
    if (given.length === 0) return
    tx.announce({ kind: 'deployment', id: held.id })
    tx.announce({ kind: 'work', id: buildQueue })
  })
}

/** Expires the leases: of one failed build, or of all, if no worker can be alive. */
export async function endLeases({ store, nowMs }: StoreDeps, held?: Held): Promise<void> {
  await store.db
    .update(deployments)
    .set({ leaseUntilMs: nowMs() - 1 })
    .where(held ? isHeld(held) : eq(deployments.state, 'building'))
}

/** Whether the worker still holds the build. */
export async function holdsBuild({ store }: { store: Store }, held: Held): Promise<boolean> {
  const rows = await store.db.select({ id: deployments.id }).from(deployments).where(isHeld(held))
  return rows.length > 0
}
