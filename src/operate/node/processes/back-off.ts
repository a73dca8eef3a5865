/** How long to wait before a process that ended is started again. */

/** A process that lived so long had no trouble with its start. */
const healthyMs = 10_000

const firstMs = 125
const longestMs = 4_000

export type BackOff = {
  /**
   * The pause, in milliseconds, after a process that ran for `livedMs` has ended: none unless that happens
   * repeatedly.
   */
  pauseAfter(livedMs: number): number
}

/** Doubles the pause each time. */
export function createBackOff(): BackOff {
  let nextMs = 0
  return {
    pauseAfter(livedMs) {
      if (livedMs >= healthyMs) nextMs = 0
      const pauseMs = nextMs
      nextMs = Math.min(longestMs, Math.max(firstMs, nextMs * 2))
      return pauseMs
    },
  }
}
