/** Token buckets in memory. */
import { LRUCache } from 'lru-cache'
import type { Draw } from './limiter.ts'
import type { Rate } from './rate.ts'
import { type TokenBucket, tokenBuckets } from './token-bucket.ts'

/** Idle buckets are full soon, so evicting the longest idle one loses nothing. */
const maxBuckets = 20_000

/** A synchronous `Limiter`. */
export type MemoryLimiter = {
  draw(id: string, cost: number): Draw
  giveBack(id: string, cost: number): void
  /** The result of drawing one token, without drawing it. */
  peek(id: string): Draw
  /** Takes tokens that are there out of the bucket `id`, which has room for them meanwhile. */
  lend(id: string, tokens: number): void
  /** Ends that; `unspent` of them are back. */
  takeBack(id: string, tokens: number, unspent: number): void
}

/** `now` is a monotonic clock in milliseconds: setting the system's clock has no effect. */
export function createMemoryLimiter(rate: Rate, now: () => number): MemoryLimiter {
  const { full, look, draw } = tokenBuckets(rate)
  const buckets = new LRUCache<string, TokenBucket>({ max: maxBuckets })

  function bucketAt(id: string, nowMs: number): TokenBucket {
    const known = buckets.get(id)
    if (known) return known
    const bucket = full(nowMs)
    buckets.set(id, bucket)
    return bucket
  }

  return {
    draw(id, cost) {
      const nowMs = now()
      return draw(bucketAt(id, nowMs), cost, nowMs)
    },
    giveBack(id, cost) {
      const bucket = buckets.peek(id)
      if (bucket) bucket.tokens = Math.min(rate.burst - bucket.lent, bucket.tokens + cost)
    },
    peek(id) {
      const nowMs = now()
      const bucket = buckets.peek(id)
      if (!bucket) return { allowed: true, remaining: rate.burst, waitMs: 0 }
      return look(bucket, 1, nowMs)
    },
    lend(id, tokens) {
      const bucket = bucketAt(id, now())
      bucket.tokens -= tokens
      bucket.lent += tokens
    },
    takeBack(id, tokens, unspent) {
      const bucket = buckets.peek(id)
      // It may be another one than that from which they were lent.
      if (!bucket || bucket.lent < tokens) return
      bucket.lent -= tokens
      bucket.tokens += unspent
    },
  }
}
