/** How long to wait before a call is made again, and when to give up. */

/**
 * Attempts of one call. Without a Retry-After they span a quarter of a minute: a server has as long to
 * restart.
 */
const maxAttempts = 7

/** A server that has never responded gets two seconds: its address may be wrong. */
const maxAttemptsUnanswered = 4

/** The first wait, which doubles each time. */
const firstWaitMs = 250

/** The longest that one call waits in all. */
const maxTotalMs = 60_000

/** The state of a call so far. */
export type Tried = {
  /** From 1. */
  attempts: number
  /** How long the call has waited already. */
  waitedMs: number
  /** Whether the server has ever responded. */
  isKnown: boolean
  /** The server's Retry-After; undefined without one. */
  retryAfterMs: number | undefined
}

/**
 * The milliseconds to wait, spread by `random` (0 to 1) so that calls which failed together don't return
 * together, and never less than `retryAfterMs`. Undefined to give up: after too many attempts, or where the
 * wait would exceed a minute in all.
 */
export function nextWaitMs(
  { attempts, waitedMs, isKnown, retryAfterMs = 0 }: Tried,
  random: number,
): number | undefined {
  if (attempts >= (isKnown ? maxAttempts : maxAttemptsUnanswered)) return undefined
  const backoffMs = firstWaitMs * 2 ** (attempts - 1) * (0.5 + random)
  const waitMs = Math.max(backoffMs, retryAfterMs * (1 + random / 4))
  return waitedMs + waitMs > maxTotalMs ? undefined : waitMs
}
