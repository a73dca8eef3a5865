/** How long addresses of other zones' names are cached. */
import { describe, expect, it } from 'vitest'
import { remembering } from '../../../../src/roles/nameserver/answer/alias-cache.ts'
import type { Addresses } from '../../../../src/roles/nameserver/answer/resolve.ts'
import { types } from '../../../../src/roles/nameserver/wire/codes.ts'

/** A cache over a resolver that answers as configured, with a configurable time. */
function setUp() {
  const upstream = {
    answer: { values: ['192.0.2.1'], ttl: 10 } as Addresses | undefined,
    queries: 0,
    nowMs: 0,
  }
  const resolve = remembering(
    {
      async resolve() {
        upstream.queries += 1
        if (!upstream.answer) throw new Error('SERVFAIL')
        return upstream.answer
      },
      stop: () => {},
    },
    () => upstream.nowMs,
  )
  return { upstream, lookUp: () => resolve('edge.example.net', types.A) }
}

describe('addresses', () => {
  it('are queried once for concurrent callers, and again after their TTL', async () => {
    const { upstream, lookUp } = setUp()
    await Promise.all([lookUp(), lookUp(), lookUp()])
    upstream.nowMs = 9_999
    await lookUp()
    expect(upstream.queries).toBe(1)
    upstream.nowMs = 10_000
    upstream.answer = { values: ['192.0.2.2'], ttl: 10 }
    expect((await lookUp()).values).toEqual(['192.0.2.2'])
    expect(upstream.queries).toBe(2)
  })

  it('are served stale for a day while resolvers fail, with a short TTL', async () => {
    const { upstream, lookUp } = setUp()
    await lookUp()
    upstream.answer = undefined
    upstream.nowMs = 10_000
    expect(await lookUp()).toEqual({ values: ['192.0.2.1'], ttl: 30 })
    // The resolver is not queried each time.
    await lookUp()
    expect(upstream.queries).toBe(2)
    upstream.nowMs = 86_000_000
    expect((await lookUp()).values).toEqual(['192.0.2.1'])
    upstream.nowMs = 87_000_000
    await expect(lookUp()).rejects.toThrow('SERVFAIL')
    upstream.answer = { values: [], ttl: 60 }
    expect(await lookUp()).toEqual({ values: [], ttl: 60 })
  })

  it('that were never resolved are none', async () => {
    const { upstream, lookUp } = setUp()
    upstream.answer = undefined
    await expect(lookUp()).rejects.toThrow('SERVFAIL')
  })
})
