/** The messages between the first process of a node and the others. */

import type { Settings } from '../../../lib/settings/variables.ts'
import type { GitPool } from '../../../platform/git/git-leases.ts'
import type { RecalledLoan } from '../../../platform/limits/lend-tokens.ts'
import type { LeasesService } from '../../../platform/limits/serve-leases.ts'
import type { LimitsService } from '../../../platform/limits/serve-limits.ts'
import type { Readiness } from '../../../platform/observability/readiness.ts'
import type { SiteUrls } from '../../../platform/projects/host-label.ts'
import type { UidsService } from '../../../platform/sandbox/uids.ts'
import type { ServersService } from '../../../platform/servers/serve-servers.ts'
import type { Readings } from '../../../roles/internal/metrics/readings.ts'

/** With what a process begins. */
export type Begin = {
  /** The number of processes besides the first one. */
  processes: number
  /** The ports that another one has chosen, where the settings leave that open. */
  ports: Ports
  /** 48 bytes in base64; see `Together`. */
  ticketKeys: string
}

export type Ports = Partial<
  Pick<Settings, 'SVC_PORT' | 'SVC_TLS_PORT' | 'SVC_EDGE_PORT' | 'SVC_EDGE_TLS_PORT'>
>

/** Where a process listens; the API's address is undefined where the node has none. */
export type Places = SiteUrls & { ports: Ports; apiUrl: string | undefined }

/** Handled by the first process. */
export type ToFirst = LimitsService &
  LeasesService<GitPool> &
  UidsService &
  ServersService & {
    /** The methods of `CacheIndex`, where the blobs are in a bucket. */
    hasCached(object: string): boolean | Promise<boolean>
    putCached(file: { object: string; size: number }): void
    dropCached(object: string): void
    begin(): Begin
    /** Responds, as long as its event loop runs. */
    beat(): void
    listening(places: Places): void
    /** The process can't start, and ends. `isSetting`: the message names the setting to change. */
    failed(failure: { message: string; isSetting: boolean }): void
    /** Where this process's rate limits are right now. */
    limitsDegraded(isDegraded: boolean): void
    /** That of the node. */
    readiness(): Promise<Readiness>
    /** Why the node can't build; undefined if it can. */
    buildProblem(): Promise<{ problem?: string | undefined }>
  }

/** Handled by each of the others. */
export type ToOther = {
  /** Responds, as long as its event loop runs. */
  beat(): void
  readings(): Promise<Readings>
  /** Ends the loan; resolves to what is left of it, or null where it has ended. */
  recallLoan(loan: RecalledLoan): Promise<number | null>
  /** Leaves the cluster: nobody but the processes that accept connections is to hold their ports. */
  leaveCluster(): void
  /** Accepts no more connections. */
  stopAccepting(): Promise<void>
  /** Finishes running requests, and ends. */
  stop(): void
}
