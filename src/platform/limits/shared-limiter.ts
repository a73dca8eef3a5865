/** Token buckets in a shared Redis, by Upstash's algorithm. */
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { z } from 'zod'
import type { Draw } from './limiter.ts'
import type { BucketName } from './policy.ts'
import { type Rate, refillOf } from './rate.ts'
import type { RedisClient } from './redis-client.ts'
import type { SharedClock } from './shared-clock.ts'

/** The script's argument for the time, which the library sets from the system's clock. */
const timeArgument = 3

/** The library's type requires more than the token bucket uses. */
const libraryRedis = z.custom<RatelimitConfig['redis']>((value) => typeof value === 'object')

/**
 * The library's own way, a draw of fewer than none, would fill a bucket beyond its burst. A bucket that is
 * gone was full.
 */
const giveBackScript = `
  local tokens = redis.call("HGET", KEYS[1], "tokens")
  if tokens then
    redis.call("HSET", KEYS[1], "tokens", math.min(tonumber(ARGV[1]), tonumber(tokens) + tonumber(ARGV[2])))
  end
  return 1
`

/** An asynchronous `Limiter`. */
export type SharedLimiter = {
  draw(id: string, cost: number): Promise<Draw>
  giveBack(id: string, cost: number): Promise<void>
}

/** One script, so one round trip per draw; it rejects when Redis refuses or is unavailable. */
export function createSharedLimiter(
  { name, rate }: { name: BucketName; rate: Rate },
  client: RedisClient,
  clock: SharedClock,
): SharedLimiter {
  const { tokens, everyMs } = refillOf(rate)
  const prefix = `svc:limits:${name}`
  const atSharedTime = (args: unknown[]) => args.with(timeArgument, clock.nowMs())
  const ratelimit = new Ratelimit({
    redis: libraryRedis.parse({
      evalsha: (sha1: string, keys: string[], args: unknown[]) =>
        client.evalsha(sha1, keys, atSharedTime(args)),
      eval: (script: string, keys: string[], args: unknown[]) =>
        client.eval(script, keys, atSharedTime(args)),
    }),
    limiter: Ratelimit.tokenBucket(tokens, `${everyMs} ms`, rate.burst),
    prefix,
    // The library's timeout would allow the request: callers have their own.
    timeout: 0,
    // The library's cache would use the system's clock.
    ephemeralCache: false,
  })

  return {
    async draw(id, cost) {
      const { success, remaining, reset } = await ratelimit.limit(id, { rate: cost })
      if (success) return { allowed: true, remaining: Math.min(remaining, rate.burst), waitMs: 0 }
      // The script returns when tokens are added, not how many remain: as many refills as an empty bucket
      // needs.
      const refills = Math.ceil(cost / tokens)
      const waitMs = Math.max(1, reset - clock.nowMs()) + (refills - 1) * everyMs
      return { allowed: false, remaining: 0, waitMs }
    },
    async giveBack(id, cost) {
      // The key as the library makes it.
      await client.eval(giveBackScript, [`${prefix}:${id}`], [rate.burst, cost])
    },
  }
}
