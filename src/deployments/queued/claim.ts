/** Which deployment a worker builds next, and for how long that is so. */
import { and, asc, eq, inArray, lt, notInArray, sql } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { type BuildSettings, deployments, projects } from '../../db/schema/projects.ts'
import type { Store } from '../../db/store.ts'
import type { EnvTarget } from '../../projects/env.ts'
import { leaseMs } from '../../queue/lease.ts'
import { type Held, isHeld } from './held.ts'
import { firstTurns, noteTurns } from './turns.ts'

/** The queue that is woken where a deployment waits for its build. */
export const buildQueue = 'builds'

/** How often a build is begun before it is given up. */
export const maxBeginnings = 2

/** So many more of each team are looked at, since other workers may be taking the first ones at the same moment. */
const takenByOthers = 16

/** A build that a worker has taken. */
export type BuildJob = Held & {
  teamId: string
  projectId: string
  project: string
  host: string
  target: EnvTarget
  build: BuildSettings
  meta: Record<string, string>
  sourceManifestId: number
}

type Deps = { store: Store; nowMs: () => number }

/** `running` are the ids of those that this worker is at, whatever their leases say. */
type Claim = { worker: string; running: string[]; limit: number }

/** Takes at most `limit` builds: those whose worker hasn't been heard of, then those that wait, in the order of `turns`. */
export async function claimBuilds({ store, nowMs }: Deps, claim: Claim): Promise<BuildJob[]> {
  return store.transact(async (tx, announce) => {
    const ids = await lockDue(tx, claim, nowMs())
    if (ids.length === 0) return []
    const begun = { state: 'building', worker: claim.worker, buildingMs: nowMs() } as const
    const taken = await tx
      .update(deployments)
      .set({ ...begun, leaseUntilMs: nowMs() + leaseMs, attempts: oneMore })
      .from(projects)
      .where(and(eq(projects.id, deployments.projectId), inArray(deployments.id, ids)))
      .returning(jobColumns)
    await noteTurns(tx, [...new Set(taken.map(({ teamId }) => teamId))], nowMs())
    for (const { id } of taken) announce({ kind: 'deployment', id })
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
  projectId: deployments.projectId,
  project: projects.name,
  host: deployments.host,
  target: deployments.target,
  build: deployments.build,
  meta: deployments.meta,
  sourceManifestId: deployments.sourceManifestId,
}

async function lockDue(tx: Database, { running, limit }: Claim, nowMs: number): Promise<string[]> {
  const lost = await tx
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(
        eq(deployments.state, sql`'building'`),
        lt(deployments.leaseUntilMs, nowMs),
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

/** Locks the first `limit` of what waits and nobody else takes. Reads some of each team, however much of it waits. */
export function waitingQuery(tx: Database, limit: number) {
  // One after another in their order, and each by its id: a join may as well read all that waits.
  const taken = sql`
    (select id from ${firstTurns(limit + takenByOthers)} as line order by place) as line cross join lateral (
      select id from ${deployments} where id = line.id and state = 'queued' for update skip locked) as taken`
  return tx.select({ id: sql<string>`taken.id` }).from(taken).limit(limit)
}

/** Holds them for longer, and resolves to the ids of those that are still this worker's. */
export async function extendBuilds({ store, nowMs }: Deps, worker: string, ids: string[]): Promise<string[]> {
  const held = await store.db
    .update(deployments)
    .set({ leaseUntilMs: nowMs() + leaseMs })
    .where(
      and(inArray(deployments.id, ids), eq(deployments.state, 'building'), eq(deployments.worker, worker)),
    )
    .returning({ id: deployments.id })
  return held.map(({ id }) => id)
}

/** Has a build wait again, as if it had not been begun: its worker stops. Nothing where that doesn't hold it. */
export async function giveBackBuild({ store }: Deps, held: Held): Promise<void> {
  await store.transact(async (tx, announce) => {
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
    announce({ kind: 'deployment', id: held.id })
    announce({ kind: 'work', id: buildQueue })
  })
}

/** Ends the leases: of this one build, which has broken off, or of all, where no worker can be alive. */
export async function endLeases({ store, nowMs }: Deps, held?: Held): Promise<void> {
  await store.db
    .update(deployments)
    .set({ leaseUntilMs: nowMs() - 1 })
    .where(held ? isHeld(held) : eq(deployments.state, 'building'))
}

/** Whether the build is still the worker's. */
export async function holdsBuild({ store }: { store: Store }, held: Held): Promise<boolean> {
  const rows = await store.db.select({ id: deployments.id }).from(deployments).where(isHeld(held))
  return rows.length > 0
}
