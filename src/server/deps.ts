/** What the API server is made of. */
import type { People } from '../auth/people/people.ts'
import type { Principals } from '../auth/principals.ts'
import type { Limits } from '../limits/open-limits.ts'
import type { Logger } from '../log/logger.ts'
import type { LookAtReadiness } from '../observability/readiness.ts'
import type { Services } from '../trpc/context.ts'
import type { BodyBudget } from './http/body-budget.ts'

/** Times a client has for a part of its request, in milliseconds, and how fast it has to be. */
export type Timeouts = {
  /** All headers. */
  headersMs: number
  /** The whole of a JSON body. */
  bodyMs: number
  /** What it may wait before, for others to end. */
  bodyWaitMs: number
  /** As many of an upload's bytes as `uploadBytesPerSecond` says are due in this time. */
  uploadWindowMs: number
  /** A whole request over HTTP/2 that is no upload. */
  requestMs: number
  /** The next byte in either direction, while an answer is awaited. */
  idleMs: number
  /** What still comes of a body after a request was refused. */
  lingerMs: number
  /** How often open connections are looked at. */
  checkMs: number
  /** How slow an upload may be, on average. */
  uploadBytesPerSecond: number
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
  bodyWaitMs: 5_000,
  uploadWindowMs: 30_000,
  requestMs: 15 * 60_000,
  idleMs: 120_000,
  lingerMs: 2_000,
  checkMs: 2_000,
  uploadBytesPerSecond: 1_000,
}
