/** Keeps servers in production running whose projects want so, by `min` in `runtime`. */
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Logger } from '../../lib/log/logger.ts'
import type { Changes } from '../../stores/db/changes.ts'
import type { Database } from '../../stores/db/database.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { keepsServer, keptWithin, type Room } from '../projects/room-to-keep.ts'
import { runtimeOf } from '../projects/runtime-settings.ts'
import type { ServerSlot } from './server-slot.ts'
import type { ServerKey } from './server-status.ts'
import type { ServerWanted } from './servers.ts'

export type Keeper = {
  /** Whether it runs on without requests, also while others want its room. */
  isKept(key: ServerKey): boolean
  stop(): void
}

type Deps = {
  db: Database
  changes: Changes
  log: Logger
  room: Room
  slotFor: (wanted: ServerWanted) => ServerSlot
}

/** How often those are woken that have ended, or that there was no room for. */
const wakeMs = 5_000

/** How often they are read even if no change is known. */
const readMs = 60_000

/** Changes that come together are looked at together. */
const gatherMs = 500

/** The most that one node looks at: more than it has room for. */
const maxKept = 1_000

const noRoom =
  'This node has no room to keep the server running without requests, beside those of other projects.'

/** Looks as soon as the node runs, after each change of a project, and once a minute. */
export function keepRunning({ db, changes, log, room, slotFor }: Deps): Keeper {
  let kept = new Map<string, ServerWanted>()
  let left = new Set<string>()
  let isStopped = false
  let isDue = true
  let soon: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    isDue = false
    const all = await readKept(db)
    if (isStopped) return
    const chosen = keptWithin(all, room)
    kept = new Map(chosen.map(({ bytes: _, ...wanted }) => [wanted.deploymentId, toServer(wanted)]))
    const others = all.filter(({ deploymentId }) => !kept.has(deploymentId))
    for (const other of others)
      if (!left.has(other.deploymentId)) slotFor(toServer(other)).log.say('warn', noRoom)
    left = new Set(others.map(({ deploymentId }) => deploymentId))
    wake()
  }

  function wake(): void {
    for (const wanted of kept.values()) slotFor(wanted).wake()
  }

  function lookSoon(): void {
    isDue = true
    if (!isStopped) soon ??= setTimeout(lookNow, gatherMs).unref()
  }

  function lookNow(): void {
    soon = undefined
    if (looking || isStopped) return
    looking = look()
      .catch((err: unknown) => {
        isDue = true
        if (!isStoreAway(err)) log.error({ err }, 'Which servers are to be kept running could not be read.')
      })
      .finally(() => {
        looking = undefined
      })
  }

  const unsubscribe = changes.subscribe({
    changed({ kind }) {
      if (kind === 'project') lookSoon()
    },
    missed: lookSoon,
  })
  const waking = setInterval(() => (isDue ? lookNow() : wake()), wakeMs).unref()
  const reading = setInterval(lookSoon, readMs).unref()
  lookSoon()

  return {
    isKept: ({ deploymentId, target }) => target === 'production' && kept.has(deploymentId),
    stop() {
      isStopped = true
      clearTimeout(soon)
      clearInterval(waking)
      clearInterval(reading)
      unsubscribe()
    },
  }
}

/** The servers of live deployments whose projects have `min`, of all teams. */
async function readKept(db: Database): Promise<(Omit<ServerWanted, 'target'> & { bytes: number })[]> {
  const rows = await keptQuery(db)
  if (rows.length === 0) return []
  const served = await servedQuery(
    db,
    rows.map(({ deploymentId }) => deploymentId),
  )
  const ids = new Set(served.map(({ id }) => id))
  return rows.flatMap(({ deploymentId, runtime, ...of }) =>
    deploymentId !== null && ids.has(deploymentId)
      ? { ...of, deploymentId, bytes: runtimeOf(runtime).memory_bytes }
      : [],
  )
}

/** The query for projects with `min` that have a live deployment. */
function keptQuery(db: Database) {
  return db
    .select({
      deploymentId: projects.productionDeploymentId,
      teamId: projects.teamId,
      projectId: projects.id,
      runtime: projects.runtime,
    })
    .from(projects)
    .where(and(keepsServer, isNotNull(projects.productionDeploymentId)))
    .orderBy(asc(projects.teamId), asc(projects.id))
    .limit(maxKept)
}

/** The query for those deployments that have a server of the team's own. */
function servedQuery(db: Database, ids: (string | null)[]) {
  const wanted = ids.filter((id) => id !== null)
  return db
    .select({ id: deployments.id })
    .from(deployments)
    .where(
      and(inArray(deployments.id, wanted), isNotNull(deployments.server), eq(deployments.untrusted, false)),
    )
}

const toServer = (wanted: Omit<ServerWanted, 'target'>): ServerWanted => ({ ...wanted, target: 'production' })
