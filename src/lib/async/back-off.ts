/** How long to wait before something that ended by itself is started again. */

/** All in milliseconds; what lived for `healthyMs` had no trouble with its start. */
export type Pauses = { firstMs: number; longestMs: number; healthyMs: number }

export type BackOff = {
  /**
   * The pause, in milliseconds, after what ran for `livedMs` has ended: none unless that happens repeatedly.
   */
  pauseAfter(livedMs: number): number
}

/** Doubles the pause each time. */
export function createBackOff({ firstMs, longestMs, healthyMs }: Pauses): BackOff {
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
