/** Token buckets in the memory of this process. */
import { LRUCache } from 'lru-cache'
import type { Draw } from './limiter.ts'
import { type Rate, refillOf } from './rate.ts'

/** `refilledMs` is when tokens last came back. */
type Bucket = { tokens: number; refilledMs: number }

/** Buckets that nobody draws from are full soon, so that forgetting the one that was idle longest gives nothing away. */
const maxBuckets = 20_000

/** A `Limiter` that knows at once. */
export type MemoryLimiter = {
  draw(id: string, cost: number): Draw
  /** What drawing one token would tell, without doing it. */
  peek(id: string): Draw
}

/** `now` tells milliseconds of a clock that never jumps: nobody gains or waits when the system's time is set. */
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
    // A full bucket begins to wait for tokens when one is taken.
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
    peek(id) {
      const nowMs = now()
      const bucket = buckets.peek(id)
      if (!bucket) return { allowed: true, remaining: burst, waitMs: 0 }
      fill(bucket, nowMs)
      return look(bucket, 1, nowMs)
    },
  }
}
