/** The dependencies of the API server. */

import type { Logger } from '../../lib/log/logger.ts'
import type { Principals } from '../../platform/auth/authenticate.ts'
import type { People } from '../../platform/auth/people/people.ts'
import type { GitLeases } from '../../platform/git/git-leases.ts'
import type { RepositoryBounds } from '../../platform/git/repository-bounds.ts'
import type { Limits } from '../../platform/limits/open-limits.ts'
import type { LookAtReadiness } from '../../platform/observability/readiness.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Services } from '../trpc/context.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import type { BodyBudget } from './http/body-budget.ts'
import type { ZipIntake } from './http/zip-intake.ts'

/** Time limits for the parts of a request, in milliseconds, and the minimum upload rate. */
export type Timeouts = {
  /** All headers. */
  headersMs: number
  /** The complete JSON body. */
  bodyMs: number
  /** Waiting for room for the body. */
  bodyWaitMs: number
  /** The window in which an upload must average `uploadBytesPerSecond`. */
  uploadWindowMs: number
  /** A complete HTTP/2 request other than an upload. */
  requestMs: number
  /** The next byte in either direction, before the response. */
  idleMs: number
  /** The rest of a body after its request was refused. */
  lingerMs: number
  /** How often open connections are checked. */
  checkMs: number
  /** The minimum average upload rate. */
  uploadBytesPerSecond: number
  /** The window in which a pack averages `packBytesPerSecond`, or gives its place to whoever waits. */
  packWindowMs: number
  packBytesPerSecond: number
}

export type ServerDeps = {
  services: Services
  principals: Principals
  people: People
  limits: Limits
  readiness: LookAtReadiness
  log: Logger
  maxJsonBytes: number
  bodies: BodyBudget
  zips: ZipIntake
  /** The reserve of the data directory's disk, where zips and repositories are. */
  disk: DiskReserve
  /** The directory of the repositories that branches are pushed to. */
  git: string
  repositories: RepositoryBounds
  gitLeases: GitLeases
  timeouts: Timeouts
  /**
   * Proxies whose `X-Forwarded-*` headers are trusted: addresses, ranges, or named ranges such as `loopback`.
   */
  trustedProxies: string[]
  /** Origins whose pages may call the API; `*` for all. */
  corsOrigins: string[]
  /** Whether to send Strict-Transport-Security. */
  strictTransport: boolean
  /** Called with the status of each request that was refused before it was parsed. */
  onRefused: (status: number) => void
  /** Undefined where it is switched off. */
  dashboard: Dashboard | undefined
  /** Aborts when the node begins to stop: waiting calls return then. */
  stopping: AbortSignal
}

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  bodyMs: 30_000,
  bodyWaitMs: 5_000,
  uploadWindowMs: 30_000,
  requestMs: 15 * 60_000,
  idleMs: 120_000,
  lingerMs: 2_000,
  checkMs: 2_000,
  uploadBytesPerSecond: 1_000,
  packWindowMs: 30_000,
  packBytesPerSecond: 64_000,
}
