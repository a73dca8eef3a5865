/** The dependencies of the API server. */

import type { Logger } from '../../lib/log/logger.ts'
import type { Principals } from '../../platform/callers/authenticate.ts'
import type { GitLeases } from '../../platform/git/git-leases.ts'
import type { RepositoryBounds } from '../../platform/git/repository-bounds.ts'
import type { Limits } from '../../platform/limits/open-limits.ts'
import type { LookAtReadiness } from '../../platform/observability/readiness.ts'
import type { People } from '../../platform/people/people.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import type { Services } from '../trpc/context.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import type { BodyBudget } from './http/body-budget.ts'
import type { Timeouts } from './http/timeouts.ts'
import type { ZipIntake } from './http/zip-intake.ts'

/** The dependencies of the API's routes. */
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
