import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { policyOf } from '../../../src/platform/limits/policy.ts'
import type { Rate } from '../../../src/platform/limits/rate.ts'
import type { RedisClient } from '../../../src/platform/limits/redis-client.ts'
import { createSharedClock } from '../../../src/platform/limits/shared-clock.ts'
import { createSharedLimiter } from '../../../src/platform/limits/shared-limiter.ts'
import { connectRedis } from '../../../src/platform/limits/tcp-redis.ts'
import { connectUpstash } from '../../../src/platform/limits/upstash-redis.ts'
import { startUpstashServer } from '../../support/upstash-server.ts'
import { describeLimiter } from './conformance.ts'

const url = inject('redis') ?? ''

async function limiterOn(client: RedisClient, rate: Rate, now: () => number) {
  const clock = createSharedClock(client.timeMs, now)
  await clock.set()
  return createSharedLimiter(policyOf('free', rate), client, clock)
}

describe.runIf(url)('with a Redis', () => {
  describeLimiter('limits in Redis', async () => {
    const client = await connectRedis(url)
    return {
      create: (rate, now) => limiterOn(client, rate, now),
      close: async () => client.close(),
    }
  })

  describeLimiter('limits at Upstash', async () => {
    const server = await startUpstashServer(url)
    const client = await connectUpstash(server.url, server.token)
    return {
      create: (rate, now) => limiterOn(client, rate, now),
      close: server.close,
    }
  })

  it('nodes share a bucket, whatever their own clocks start with, over TCP and HTTP alike', async () => {
    const server = await startUpstashServer(url)
    const one = await connectRedis(url)
    const other = await connectRedis(url)
    onTestFinished(async () => {
      one.close()
      other.close()
      await server.close()
    })
    const rate = { perSecond: 1, burst: 40 }
    const limiters = await Promise.all([
      limiterOn(one, rate, () => 5),
      limiterOn(other, rate, () => 86_400_000),
      limiterOn(await connectUpstash(server.url, server.token), rate, () => 0),
    ])
    const id = randomUUID()
    const draws = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 30 }, () => limiter.draw(id, 1))),
    )
    expect(draws.filter(({ allowed }) => allowed)).toHaveLength(40)
  })

  it('a draw at Upstash is one request, once the script is loaded', async () => {
    const server = await startUpstashServer(url)
    onTestFinished(server.close)
    const client = await connectUpstash(server.url, server.token)
    const limiter = await limiterOn(client, { perSecond: 1, burst: 10 }, () => 0)
    await limiter.draw(randomUUID(), 1)
    const before = server.requests()
    for (let i = 0; i < 5; i += 1) await limiter.draw(randomUUID(), 1)
    expect(server.requests() - before).toBe(5)
  })
})
