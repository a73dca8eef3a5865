/** How long a server and a visitor may say nothing. */

/** Nothing was heard for as long as may be. */
export class SilentError extends Error {}

export type Silence = {
  /** Something was said. */
  heard(): void
  /** From now on this many milliseconds. */
  allow(ms: number): void
  stop(): void
}

/** In milliseconds: of a request and its answer, and of a stream of events or of messages both ways. */
export type SilenceLimits = { messageMs: number; streamMs: number }

export const silenceLimits: SilenceLimits = { messageMs: 60_000, streamMs: 5 * 60_000 }

/** Calls `end` once nothing was heard for `ms`. */
export function createSilence(ms: number, end: () => void): Silence {
  let timer = setTimeout(end, ms).unref()
  return {
    heard: () => void timer.refresh(),
    allow(longer) {
      clearTimeout(timer)
      timer = setTimeout(end, longer).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
