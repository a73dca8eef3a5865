/** Whether this node is ready for its roles: its ports listen, and the stores they need respond. */
import { sql } from 'drizzle-orm'
import { within } from '../../lib/async/within.ts'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log/logger.ts'
import type { RoleName } from '../../lib/settings/kinds.ts'
import { version } from '../../lib/version.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Limits } from '../limits/open-limits.ts'
import {
  type Alert,
  type AlertPart,
  ofATeam,
  partOf,
  publicAlert,
  type ReportedAlert,
  reportedAlert,
} from './alerts/alert.ts'
import { type BackupState, publicPlace } from './alerts/backups.ts'
import type { Served } from './alerts/certificate-alerts.ts'
import type { DiskSpace } from './alerts/disk.ts'
import type { NodeAlerts } from './alerts/node-alerts.ts'

type Part = 'database' | 'blobs' | 'limits' | AlertPart

/** The served certificate that expires first: its file or its name, and when. */
type NextExpiry = { place: string; expires_ms: number }

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
  /** The space on that disk; null where it can't be looked at. */
  disk_space: DiskSpace | null
  /** Null where the node serves no certificate. */
  next_certificate: NextExpiry | null
  /** Backups by schedule; null where the node has none. */
  backup: BackupState | null
  /** The unavailable or untrusted parts that the node can do without, and those that an alert is about. */
  degraded: Part[]
  /** The reasons in `degraded` that have a place and a figure. */
  alerts: Alert[]
  stopping: boolean
  version: string
}

/** Checks the stores, at most once a second however often it is called. */
export type LookAtReadiness = () => Promise<Readiness>

type Deps = {
  store: Pick<Store, 'db' | 'lookUps'>
  blobs: Pick<BlobStore, 'check' | 'isShared'>
  limits: Pick<Limits, 'state'>
  alerts: Pick<NodeAlerts, 'look'>
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
  alerts,
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
      answers(() => blobs.check(), isDiskFull),
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
    const node = await alerts.look()
    const isFull = node.alerts.some(({ name }) => name === 'disk_full')
    const degraded: Part[] = []
    if (!database && !needsDatabase) degraded.push('database')
    if (!blobs && !needsBlobs) degraded.push('blobs')
    if (state === 'degraded') degraded.push('limits')
    degraded.push(...new Set(node.alerts.map(partOf)))
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
      disk_space: node.disk ?? null,
      next_certificate: nextExpiry(node.certificates),
      backup: node.backup ?? null,
      degraded,
      alerts: node.alerts,
      stopping: isStopping,
      version,
    }
  }
}

/** The readiness in responses. */
export type ReportedReadiness = Omit<Readiness, 'alerts'> & { alerts: ReportedAlert[] }

/** The readiness in responses to operators. */
export function reportedReadiness(readiness: Readiness): ReportedReadiness {
  return { ...readiness, alerts: readiness.alerts.map(reportedAlert) }
}

/** The readiness in responses to everybody: without places that are not everybody's business. */
export function publicReadiness({ alerts, backup, ...readiness }: Readiness): ReportedReadiness {
  return {
    ...readiness,
    backup: backup && { ...backup, location: publicPlace },
    alerts: alerts.map(publicAlert),
  }
}

function nextExpiry(certificates: Served[]): NextExpiry | null {
  const [first] = certificates.toSorted((a, b) => a.notAfterMs - b.notAfterMs)
  return first ? { place: first.isOfTeam ? ofATeam : first.place, expires_ms: first.notAfterMs } : null
}

/** A store whose disk is full can be read: sites go on, and so does all that stores no files. */
function isDiskFull(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'disk_full'
}

async function answers(
  ask: () => Promise<unknown>,
  isAnswer: (error: unknown) => boolean = () => false,
): Promise<boolean> {
  const answered = ask().then(() => true, isAnswer)
  return within(timeoutMs, answered, () => false)
}
