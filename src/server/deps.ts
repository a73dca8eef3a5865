/** What the API server is made of. */
import type { Principals } from '../auth/principals.ts'
import type { Limits } from '../limits/open-limits.ts'
import type { Logger } from '../log.ts'
import type { Services } from '../trpc/context.ts'

/** Times a client has for a part of its request, in milliseconds. */
export type Timeouts = {
  /** All headers. */
  headersMs: number
  /** The whole of a JSON body. */
  bodyMs: number
  /** The next bytes of an upload. */
  uploadIdleMs: number
  /** A whole request of any kind. */
  requestMs: number
  /** How often open connections are looked at. */
  checkMs: number
}

export type ServerDeps = {
  services: Services
  principals: Principals
  limits: Limits
  log: Logger
  maxJsonBytes: number
  timeouts: Timeouts
  /** Aborts when the node begins to stop: calls that wait answer then. */
  stopping: AbortSignal
}

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  bodyMs: 30_000,
  uploadIdleMs: 30_000,
  requestMs: 15 * 60_000,
  checkMs: 2_000,
}
