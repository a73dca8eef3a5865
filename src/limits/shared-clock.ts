/** One time for all nodes on a Redis: that Redis's own, carried on by the node's monotonic clock. */

export type SharedClock = {
  /** Asks what time it is. Rejects when there is no answer, and time goes on as before. */
  set(): Promise<void>
  /** Whole milliseconds since the epoch, once it was set. However the system's clock is set meanwhile, they only go on. */
  nowMs(): number
}

/** `askMs` tells the time to keep, `now` milliseconds of a clock that never jumps. */
export function createSharedClock(askMs: () => Promise<number>, now: () => number): SharedClock {
  let offsetMs = 0
  return {
    async set() {
      const sentMs = now()
      const toldMs = await askMs()
      offsetMs = toldMs - (sentMs + now()) / 2
    },
    nowMs: () => Math.floor(now() + offsetMs),
  }
}
