/** The time limits of requests. */

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

/** The limits of a node. */
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
