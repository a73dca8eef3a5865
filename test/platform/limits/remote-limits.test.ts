/** Several processes that use the limits which one keeps. */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Borrower } from '../../../src/platform/limits/lend-tokens.ts'
import { createOwnLimits, type OwnLimits } from '../../../src/platform/limits/own-limits.ts'
import { createRemoteLimits } from '../../../src/platform/limits/remote-limits.ts'
import { serveLimits } from '../../../src/platform/limits/serve-limits.ts'
import { describeLimiter } from './conformance.ts'

const burst = 10
const rate = { perSecond: 1, burst }
const rates = {
  free: rate,
  pro: rate,
  enterprise: rate,
  session: rate,
  streams: rate,
  anonymous: rate,
  edge: rate,
  connections: 4,
}

type Process = { limits: OwnLimits; end(): void; requests: string[] }

/** `time` moves by hand. */
function openNode() {
  const time = { nowMs: 0 }
  const now = () => time.nowMs
  const kept = createOwnLimits(rates, now)
  function startProcess(): Process {
    const { release, ...service } = serveLimits(kept, { recall: async (loan) => limits.recall(loan) })
    const requests: string[] = []
    const draw: typeof service.draw = async (drawn) => {
      requests.push(drawn.id)
      await turn()
      return service.draw(drawn)
    }
    const drawLent: typeof service.drawLent = async (drawn) => {
      requests.push(drawn.id)
      await turn()
      return service.drawLent(drawn)
    }
    const limits = createRemoteLimits({ ...service, draw, drawLent }, rates, { share: 1 / 2, now })
    return { limits, end: release, requests }
  }
  return { time, startProcess }
}

const times = <T>(count: number, each: () => T) => Array.from({ length: count }, each)

async function allowed(processes: Process[], count: number): Promise<number> {
  const drawing = processes.flatMap(({ limits }) => times(count, () => limits.buckets.free.draw('team', 1)))
  return (await Promise.all(drawing)).filter((draw) => draw.allowed).length
}

describeLimiter('limits that another process keeps', async () => ({
  async create(each, now) {
    const given = { ...rates, free: each }
    const recall: Borrower['recall'] = async (loan) => limits.recall(loan)
    const { release, ...service } = serveLimits(createOwnLimits(given, now), { recall })
    const limits = createRemoteLimits(service, given, { share: 1, now })
    return limits.buckets.free
  },
  close: async () => {},
}))

describe('draws', () => {
  it('of all processes together empty one bucket', async () => {
    const { startProcess } = openNode()
    expect(await allowed([startProcess(), startProcess()], burst)).toBe(burst)
  })

  it('that can only be refused are not requested, until a token is back', async () => {
    const { time, startProcess } = openNode()
    const one = startProcess()
    const { draw } = one.limits.buckets.free
    await allowed([one], burst + 1)
    one.requests.length = 0
    time.nowMs = 400
    expect(await draw('team', 1)).toEqual({ allowed: false, remaining: 0, waitMs: 600 })
    expect(await draw('team', 2)).toMatchObject({ allowed: false })
    expect(one.requests).toEqual([])
    expect(await draw('another', 1)).toMatchObject({ allowed: true, remaining: burst - 1 })
    time.nowMs = 1_000
    expect(await draw('team', 1)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('of less than was refused are requested', async () => {
    const { startProcess } = openNode()
    const one = startProcess()
    const { draw } = one.limits.buckets.free
    await draw('team', burst - 1)
    expect(await draw('team', 2)).toMatchObject({ allowed: false, remaining: 1 })
    expect(await draw('team', 1)).toMatchObject({ allowed: true, remaining: 0 })
  })
})

describe('look-ups', () => {
  const address = '192.0.2.1'

  it('of unknown sites in all processes together draw from one bucket', async () => {
    const { startProcess } = openNode()
    let looked = 0
    const find = async () => {
      looked += 1
      await turn()
      return undefined
    }
    const looking = [startProcess(), startProcess()].flatMap(({ limits }) =>
      times(burst * 2, () => limits.sites(address, find)),
    )
    const results = await Promise.allSettled(looking)
    const refused = results.filter(({ status }) => status === 'rejected')
    expect([looked, refused.length]).toEqual([burst, burst * 3])
    expect(refused[0]).toMatchObject({ reason: { reason: 'rate_limited', retryAfterMs: 1_000 } })
  })

  it('that find something, or fail, draw nothing', async () => {
    const { startProcess } = openNode()
    const { limits } = startProcess()
    const failing = async (): Promise<string> => {
      throw new Error('The store is away.')
    }
    for (const find of [async () => 'a site', failing]) {
      for (let each = 0; each < burst * 2; each += 1) {
        await limits.sites(address, find).catch((error: Error) => expect(error.message).toContain('away'))
      }
    }
    expect(await limits.sites(address, async () => undefined)).toBeUndefined()
  })

  it('of a process that ended leave their places to others', async () => {
    const { startProcess } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    for (const _ of times(burst, () => 0)) void one.limits.callers.admit(address, () => new Promise(() => {}))
    let isFound = false
    const waiting = other.limits.callers.admit(address, async () => {
      isFound = true
    })
    await turn()
    expect(isFound).toBe(false)
    one.end()
    await waiting
    expect(isFound).toBe(true)
  })
})

describe('connections', () => {
  it('of a client to all processes are limited together; those of an ended one are closed', async () => {
    const { startProcess } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    const take = (process: Process) => process.limits.connections?.take('192.0.2.1')
    expect(await Promise.all([one, other, one, other, one, other].map(take))).toEqual([
      ...[true, true, true, true],
      ...[false, false],
    ])
    one.limits.connections?.giveBack('192.0.2.1')
    expect([await take(other), await take(other)]).toEqual([true, false])
    one.end()
    expect([await take(other), await take(other)]).toEqual([true, false])
  })
})
