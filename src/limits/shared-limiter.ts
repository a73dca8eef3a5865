/** Token buckets in a Redis that several nodes share, by Upstash's algorithm. */
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { z } from 'zod'
import type { Draw } from './limiter.ts'
import type { Policy } from './policy.ts'
import { refillOf } from './rate.ts'
import type { RedisClient } from './redis-client.ts'
import type { SharedClock } from './shared-clock.ts'

/** Where the script of the token bucket takes the time, which the library reads from the system's clock. */
const timeArgument = 3

/** The library's type asks for more than the token bucket uses. */
const libraryRedis = z.custom<RatelimitConfig['redis']>((value) => typeof value === 'object')

/** A `Limiter` that always has to ask. */
export type SharedLimiter = { draw(id: string, cost: number): Promise<Draw> }

/** One script, so one round trip a draw; it rejects when Redis refuses or is away. */
export function createSharedLimiter(
  { name, rate }: Policy,
  client: RedisClient,
  clock: SharedClock,
): SharedLimiter {
  const { tokens, everyMs } = refillOf(rate)
  const atSharedTime = (args: unknown[]) => args.with(timeArgument, clock.nowMs())
  const ratelimit = new Ratelimit({
    redis: libraryRedis.parse({
      evalsha: (sha1: string, keys: string[], args: unknown[]) =>
        client.evalsha(sha1, keys, atSharedTime(args)),
      eval: (script: string, keys: string[], args: unknown[]) =>
        client.eval(script, keys, atSharedTime(args)),
    }),
    limiter: Ratelimit.tokenBucket(tokens, `${everyMs} ms`, rate.burst),
    prefix: `svc:limits:${name}`,
    // What is late would pass: callers decide how long they wait.
    timeout: 0,
    // It would go by the system's clock.
    ephemeralCache: false,
  })

  return {
    async draw(id, cost) {
      const { success, remaining, reset } = await ratelimit.limit(id, { rate: cost })
      if (success) return { allowed: true, remaining: Math.min(remaining, rate.burst), waitMs: 0 }
      // The script tells when tokens come back, not how many are there: as many refills as an empty bucket needs.
      const refills = Math.ceil(cost / tokens)
      const waitMs = Math.max(1, reset - clock.nowMs()) + (refills - 1) * everyMs
      return { allowed: false, remaining: 0, waitMs }
    },
  }
}
