/** Token buckets in the memory of this process. */
import { LRUCache } from 'lru-cache'
import type { Draw } from './limiter.ts'
import { type Rate, refillOf } from './rate.ts'

/** `refilledMs` is when tokens last came back. */
type Bucket = { tokens: number; refilledMs: number }

/** Buckets that nobody draws from are full soon, so that forgetting the one that was idle longest gives nothing away. */
const maxBuckets = 20_000

/** A `Limiter` that knows at once. */
export type MemoryLimiter = { draw(id: string, cost: number): Draw }

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

  return {
    draw(id, cost) {
      const nowMs = now()
      const bucket = bucketAt(id, nowMs)
      if (bucket.tokens < cost) {
        const refills = Math.ceil((cost - bucket.tokens) / refill.tokens)
        const waitMs = Math.ceil(bucket.refilledMs + refills * refill.everyMs - nowMs)
        return { allowed: false, remaining: bucket.tokens, waitMs }
      }
      bucket.tokens -= cost
      return { allowed: true, remaining: bucket.tokens, waitMs: 0 }
    },
  }
}
