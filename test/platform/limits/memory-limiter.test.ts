import { describe, expect, it } from 'vitest'
import { createMemoryLimiter } from '../../../src/platform/limits/memory-limiter.ts'
import { describeLimiter } from './conformance.ts'

describeLimiter('limits in memory', async () => ({
  create: async (rate, now) => createMemoryLimiter(rate, now),
  close: async () => {},
}))

describe('limits in memory', () => {
  it('return the remaining tokens also when more were requested', () => {
    const limiter = createMemoryLimiter({ perSecond: 2, burst: 10 }, () => 0)
    limiter.draw('a', 7)
    expect(limiter.draw('a', 5)).toEqual({ allowed: false, remaining: 3, waitMs: 1_000 })
  })

  it('hold a bounded number of buckets, and evict the one that was idle longest', () => {
    const limiter = createMemoryLimiter({ perSecond: 1, burst: 1 }, () => 0)
    limiter.draw('idle', 1)
    limiter.draw('in use', 1)
    for (let i = 0; i < 25_000; i += 1) {
      limiter.draw(`other ${i}`, 1)
      expect(limiter.draw('in use', 1).allowed).toBe(false)
    }
    expect(limiter.draw('idle', 1).allowed).toBe(true)
  })
})
