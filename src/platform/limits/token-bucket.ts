/** The arithmetic of token buckets of one rate; times are in milliseconds of a monotonic clock. */
import type { Draw } from './limiter.ts'
import { type Rate, refillOf } from './rate.ts'

/** `refilledMs` is the time of the last refill; `lent` tokens are elsewhere, and may come back. */
export type TokenBucket = { tokens: number; refilledMs: number; lent: number }

export type TokenBuckets = {
  full(nowMs: number): TokenBucket
  /** The result of drawing `cost` tokens, without drawing them. */
  look(bucket: TokenBucket, cost: number, nowMs: number): Draw
  /** Draws `cost` tokens: all of them or none. */
  draw(bucket: TokenBucket, cost: number, nowMs: number): Draw
}

/** The buckets of a rate: each is the caller's, who keeps it. */
export function tokenBuckets(rate: Rate): TokenBuckets {
  const { burst } = rate
  const refill = refillOf(rate)

  function fill(bucket: TokenBucket, nowMs: number): void {
    const refills = Math.floor((nowMs - bucket.refilledMs) / refill.everyMs)
    if (refills <= 0) return
    const room = burst - bucket.lent
    bucket.tokens = Math.min(room, bucket.tokens + refills * refill.tokens)
    // The refill of a full bucket starts with the first draw.
    bucket.refilledMs = bucket.tokens === room ? nowMs : bucket.refilledMs + refills * refill.everyMs
  }

  function look(bucket: TokenBucket, cost: number, nowMs: number): Draw {
    fill(bucket, nowMs)
    const { tokens, refilledMs } = bucket
    if (tokens >= cost) return { allowed: true, remaining: tokens, waitMs: 0 }
    const refills = Math.ceil((cost - tokens) / refill.tokens)
    const waitMs = Math.ceil(refilledMs + refills * refill.everyMs - nowMs)
    return { allowed: false, remaining: tokens, waitMs }
  }

  return {
    full: (nowMs) => ({ tokens: burst, refilledMs: nowMs, lent: 0 }),
    look,
    draw(bucket, cost, nowMs) {
      const draw = look(bucket, cost, nowMs)
      if (!draw.allowed) return draw
      bucket.tokens -= cost
      draw.remaining = bucket.tokens
      return draw
    },
  }
}
