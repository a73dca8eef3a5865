/** For how long the addresses of names elsewhere are remembered. */
import { describe, expect, it } from 'vitest'
import { remembering } from '../../../src/nameserver/answer/remembered.ts'
import type { Addresses } from '../../../src/nameserver/answer/resolve.ts'
import { types } from '../../../src/nameserver/wire/codes.ts'

/** A memory over a resolver that answers what it is told, at a time that it is told. */
function setUp() {
  const upstream = { answer: { values: ['192.0.2.1'], ttl: 10 } as Addresses | undefined, asked: 0, nowMs: 0 }
  const resolve = remembering(
    {
      async resolve() {
        upstream.asked += 1
        if (!upstream.answer) throw new Error('SERVFAIL')
        return upstream.answer
      },
      stop: () => {},
    },
    () => upstream.nowMs,
  )
  return { upstream, ask: () => resolve('edge.example.net', types.A) }
}

describe('addresses', () => {
  it('are asked for once by all who come together, and again after their time', async () => {
    const { upstream, ask } = setUp()
    await Promise.all([ask(), ask(), ask()])
    upstream.nowMs = 9_999
    await ask()
    expect(upstream.asked).toBe(1)
    upstream.nowMs = 10_000
    upstream.answer = { values: ['192.0.2.2'], ttl: 10 }
    expect((await ask()).values).toEqual(['192.0.2.2'])
    expect(upstream.asked).toBe(2)
  })

  it('are answered for a day when no resolver tells new ones, for a short time each', async () => {
    const { upstream, ask } = setUp()
    await ask()
    upstream.answer = undefined
    upstream.nowMs = 10_000
    expect(await ask()).toEqual({ values: ['192.0.2.1'], ttl: 30 })
    // The resolver is not asked for each question.
    await ask()
    expect(upstream.asked).toBe(2)
    upstream.nowMs = 86_000_000
    expect((await ask()).values).toEqual(['192.0.2.1'])
    upstream.nowMs = 87_000_000
    await expect(ask()).rejects.toThrow('SERVFAIL')
    upstream.answer = { values: [], ttl: 60 }
    expect(await ask()).toEqual({ values: [], ttl: 60 })
  })

  it('that nobody ever told are none', async () => {
    const { upstream, ask } = setUp()
    upstream.answer = undefined
    await expect(ask()).rejects.toThrow('SERVFAIL')
  })
})
