/** Whether this node is ready for its roles: its ports listen, and the stores they need respond. */
import { sql } from 'drizzle-orm'
import { within } from '../../lib/async/within.ts'
import type { Logger } from '../../lib/log/logger.ts'
import type { RoleName } from '../../lib/settings/kinds.ts'
import { version } from '../../lib/version.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Limits } from '../limits/open-limits.ts'

type Part = 'database' | 'blobs' | 'limits' | 'clock' | 'disk'

export type Readiness = {
  ready: boolean
  /** Whether every port of the node listens. */
  listening: boolean
  /** The ids of its processes that don't respond, if there are any. */
  unresponsive?: number[]
  database: boolean
  blobs: boolean
  /** Where rate limits are kept; degraded if they aren't shared right now. */
  limits: ReturnType<Limits['state']>
  /** `disk_full` where nothing more is stored on the disk of the data directory, for lack of space. */
  disk: 'ok' | 'disk_full'
  /** The unavailable or untrusted parts that the node can do without. */
  degraded: Part[]
  stopping: boolean
  version: string
}

/** Checks the stores, at most once a second however often it is called. */
export type LookAtReadiness = () => Promise<Readiness>

type Deps = {
  store: Pick<Store, 'db' | 'lookUps'>
  blobs: Pick<BlobStore, 'check' | 'isShared'>
  limits: Pick<Limits, 'state'>
  disk: Pick<DiskReserve, 'isFull'>
  removal: Pick<RemovalClock, 'jumpMs'>
  roles: readonly RoleName[]
  /** Whether sites are served as last known while the database is away. */
  servesStale: boolean
  isListening: () => boolean
  /** The ids of the processes that don't respond. */
  late: () => number[]
  stopping: AbortSignal
  log: Logger
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** The timeout of a store. */
const timeoutMs = 2_000

/** How long a result is cached: checking the stores costs more than most requests do. */
const maxAgeMs = 1_000

type Found = { database: boolean; blobs: boolean }

export function createReadiness({
  store,
  blobs,
  limits,
  disk,
  removal,
  roles,
  servesStale,
  isListening,
  late,
  stopping,
  log,
  now = () => performance.now(),
}: Deps): LookAtReadiness {
  // The name server answers from memory, an edge from what it knows, and without Redis rate limits are per
  // node. A bucket is away for all nodes at once: without them in service, nothing that needs no files could
  // be called either.
  const isBackend = roles.includes('api') || roles.includes('worker')
  const isEdge = roles.includes('edge')
  const needsDatabase = isBackend || (isEdge && !servesStale)
  const needsBlobs = (isBackend || isEdge) && !blobs.isShared
  let probe: Promise<Found> | undefined
  let known: { found: Found; foundMs: number } | undefined

  async function probeStores(): Promise<Found> {
    const [queries, lookUps, written] = await Promise.all([
      answers(() => store.db.execute(sql`select 1`)),
      answers(() => store.lookUps.execute(sql`select 1`)),
      answers(() => blobs.check()),
    ])
    const found = { database: queries && lookUps, blobs: written }
    known = { found, foundMs: now() }
    probe = undefined
    if (!found.database || !found.blobs) log.warn(found, 'A store of this node does not respond.')
    return found
  }

  async function stores(): Promise<Found> {
    if (known && now() - known.foundMs < maxAgeMs) return known.found
    probe ??= probeStores()
    return probe
  }

  return async () => {
    const { database, blobs } = await stores()
    const state = limits.state()
    const isFull = await disk.isFull()
    const degraded: Part[] = []
    if (!database && !needsDatabase) degraded.push('database')
    if (!blobs && !needsBlobs) degraded.push('blobs')
    if (state === 'degraded') degraded.push('limits')
    if (removal.jumpMs() > 0) degraded.push('clock')
    // Sites go on, and so does all that stores no files.
    if (isFull) degraded.push('disk')
    const listening = isListening()
    const unresponsive = late()
    const isStopping = stopping.aborted
    const isRunning = listening && unresponsive.length === 0 && !isStopping
    return {
      ready: isRunning && (database || !needsDatabase) && (blobs || !needsBlobs),
      listening,
      ...(unresponsive.length > 0 && { unresponsive }),
      database,
      blobs,
      limits: state,
      disk: isFull ? 'disk_full' : 'ok',
      degraded,
      stopping: isStopping,
      version,
    }
  }
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const answered = ask().then(
    () => true,
    () => false,
  )
  return within(timeoutMs, answered, () => false)
}
