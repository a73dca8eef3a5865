/** Token buckets in memory. */
import { LRUCache } from 'lru-cache'
import type { Draw } from './limiter.ts'
import { type Rate, refillOf } from './rate.ts'

/** `refilledMs` is the time of the last refill. */
type Bucket = { tokens: number; refilledMs: number }

/** Idle buckets are full soon, so evicting the longest idle one loses nothing. */
const maxBuckets = 20_000

/** A synchronous `Limiter`. */
export type MemoryLimiter = {
  draw(id: string, cost: number): Draw
  giveBack(id: string, cost: number): void
  /** The result of drawing one token, without drawing it. */
  peek(id: string): Draw
}

/** `now` is a monotonic clock in milliseconds: setting the system's clock has no effect. */
export function createMemoryLimiter(rate: Rate, now: () => number): MemoryLimiter {
  const { burst } = rate
  const refill = refillOf(rate)
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })

  function bucketAt(id: string, nowMs: number): Bucket {
    const known = buckets.get(id)
    if (known) {
      fill(known, nowMs)
      return known
    }
    const bucket = { tokens: burst, refilledMs: nowMs }
    buckets.set(id, bucket)
    return bucket
  }

  function fill(bucket: Bucket, nowMs: number): void {
    const refills = Math.floor((nowMs - bucket.refilledMs) / refill.everyMs)
    if (refills <= 0) return
    bucket.tokens = Math.min(burst, bucket.tokens + refills * refill.tokens)
    // The refill of a full bucket starts with the first draw.
    bucket.refilledMs = bucket.tokens === burst ? nowMs : bucket.refilledMs + refills * refill.everyMs
  }

  function look(bucket: Bucket, cost: number, nowMs: number): Draw {
    const { tokens, refilledMs } = bucket
    if (tokens >= cost) return { allowed: true, remaining: tokens, waitMs: 0 }
    const refills = Math.ceil((cost - tokens) / refill.tokens)
    const waitMs = Math.ceil(refilledMs + refills * refill.everyMs - nowMs)
    return { allowed: false, remaining: tokens, waitMs }
  }

  return {
    draw(id, cost) {
      const nowMs = now()
      const bucket = bucketAt(id, nowMs)
      const draw = look(bucket, cost, nowMs)
      if (!draw.allowed) return draw
      bucket.tokens -= cost
      draw.remaining = bucket.tokens
      return draw
    },
    giveBack(id, cost) {
      const bucket = buckets.peek(id)
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + cost)
    },
    peek(id) {
      const nowMs = now()
      const bucket = buckets.peek(id)
      if (!bucket) return { allowed: true, remaining: burst, waitMs: 0 }
      fill(bucket, nowMs)
      return look(bucket, 1, nowMs)
    },
  }
}
