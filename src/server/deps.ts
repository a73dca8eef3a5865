/** What the API server is made of. */
import type { People } from '../auth/people/people.ts'
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
  /** The next byte in either direction, while an answer is awaited. */
  idleMs: number
  /** How often open connections are looked at. */
  checkMs: number
}

export type ServerDeps = {
  services: Services
  principals: Principals
  people: People
  limits: Limits
  log: Logger
  maxJsonBytes: number
  timeouts: Timeouts
  /** Whose `X-Forwarded-*` headers are believed: addresses, ranges, or names of ranges such as `loopback`. */
  trustedProxies: string[]
  /** Pages of which origins may call the API; `*` for all. */
  corsOrigins: string[]
  /** Whether browsers are told to come over TLS only. */
  strictTransport: boolean
  /** Is told the status of each request that was refused before it was one. */
  onRefused: (status: number) => void
  /** Aborts when the node begins to stop: calls that wait answer then. */
  stopping: AbortSignal
}

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  bodyMs: 30_000,
  uploadIdleMs: 30_000,
  requestMs: 15 * 60_000,
  idleMs: 120_000,
  checkMs: 2_000,
}
