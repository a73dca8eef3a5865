/** The clock shared by all nodes on a Redis: Redis's own, continued by the node's monotonic clock. */

export type SharedClock = {
  /** Queries the time. Rejects without a response, and the clock continues as before. */
  set(): Promise<void>
  /** Milliseconds since the epoch, once it was set; monotonic, whatever happens to the system's clock. */
  nowMs(): number
}

/** `readMs` returns Redis's time, `now` milliseconds of a monotonic clock. */
export function createSharedClock(readMs: () => Promise<number>, now: () => number): SharedClock {
  let offsetMs = 0
  return {
    async set() {
      const sentMs = now()
      const redisMs = await readMs()
      offsetMs = redisMs - (sentMs + now()) / 2
    },
    nowMs: () => Math.floor(now() + offsetMs),
  }
}
