/** Whether this node is ready for its roles: its ports listen, and the stores they need respond. */
import { sql } from 'drizzle-orm'
import { within } from '../async/within.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { RemovalClock } from '../clock/removal.ts'
import type { Store } from '../db/store.ts'
import type { Limits } from '../limits/open-limits.ts'
import type { Logger } from '../log/logger.ts'
import type { RoleName } from '../settings/kinds.ts'
import { version } from '../version.ts'

type Part = 'database' | 'blobs' | 'limits' | 'clock'

export type Readiness = {
  ready: boolean
  /** Whether every port of the node listens. */
  listening: boolean
  database: boolean
  blobs: boolean
  /** Where rate limits are kept; degraded if they aren't shared right now. */
  limits: ReturnType<Limits['state']>
  /** What is unavailable or untrusted, though the node can do without it. */
  degraded: Part[]
  stopping: boolean
  version: string
}

/** Checks the stores, at most once a second however often it is called. */
export type LookAtReadiness = () => Promise<Readiness>

type Deps = {
  store: Pick<Store, 'db' | 'lookUps'>
  blobs: Pick<BlobStore, 'check'>
  limits: Pick<Limits, 'state'>
  removal: Pick<RemovalClock, 'jumpMs'>
  roles: readonly RoleName[]
  isListening: () => boolean
  stopping: AbortSignal
  log: Logger
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** The timeout of a store. */
const timeoutMs = 2_000

/** How long a result is cached: checking the stores costs more than most requests do. */
const maxAgeMs = 1_000

/** The name server answers from memory, and without Redis rate limits are per node. */
const rolesWithStores: readonly RoleName[] = ['api', 'edge', 'worker']

type Found = { database: boolean; blobs: boolean }

export function createReadiness({
  store,
  blobs,
  limits,
  removal,
  roles,
  isListening,
  stopping,
  log,
  now = () => performance.now(),
}: Deps): LookAtReadiness {
  const needsStores = roles.some((role) => rolesWithStores.includes(role))
  let probe: Promise<Found> | undefined
  let known: { found: Found; foundMs: number } | undefined

  async function askStores(): Promise<Found> {
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
    probe ??= askStores()
    return probe
  }

  return async () => {
    const { database, blobs } = await stores()
    const state = limits.state()
    const degraded: Part[] = []
    if (!database && !needsStores) degraded.push('database')
    if (!blobs && !needsStores) degraded.push('blobs')
    if (state === 'degraded') degraded.push('limits')
    if (removal.jumpMs() > 0) degraded.push('clock')
    const listening = isListening()
    const isStopping = stopping.aborted
    return {
      ready: listening && !isStopping && ((database && blobs) || !needsStores),
      listening,
      database,
      blobs,
      limits: state,
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
