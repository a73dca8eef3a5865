/** Tokens of one bucket that several processes borrow for a moment. */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Draw } from '../../../src/platform/limits/limiter.ts'
import { createOwnLimits } from '../../../src/platform/limits/own-limits.ts'
import { createRemoteLimits } from '../../../src/platform/limits/remote-limits.ts'
import { serveLimits } from '../../../src/platform/limits/serve-limits.ts'
import { eventually } from '../../support/eventually.ts'

const burst = 1_000
const rate = { perSecond: 1, burst }
const rates = {
  ...{ free: rate, pro: rate, enterprise: rate, session: rate, streams: rate, anonymous: rate, edge: rate },
  connections: 4,
}

/** Moves by hand, while loans still end by themselves. */
let clockMs = 0
const now = () => clockMs

type Process = {
  draw(cost?: number): Promise<Draw>
  /** How many messages its draws took. */
  messages(): number
  /** From then on it says nothing any more. */
  freeze(): void
  end(): void
}

/** A node with the bucket of a team, and processes whose messages take a turn of the event loop each way. */
function openNode() {
  const kept = createOwnLimits(rates, now)

  function startProcess(): Process {
    let messages = 0
    let frozen: Promise<never> | undefined
    const later = async <T>(act: () => T | Promise<T>) => {
      await turn()
      const answer = await act()
      await (frozen ?? turn())
      return answer
    }
    const { release, ...service } = serveLimits(kept, {
      // At once, so that it overtakes what was sent before.
      async recall(loan) {
        const left = await limits.recall(loan)
        await (frozen ?? turn())
        return left
      },
    })
    const limits = createRemoteLimits(
      {
        ...service,
        drawLent(drawn) {
          messages += 1
          return later(() => service.drawLent(drawn))
        },
        returnLoan: (returned) => void later(() => service.returnLoan(returned)),
      },
      rates,
      { share: 1, now },
    )
    return {
      draw: async (cost = 1) => limits.buckets.free.draw('team', cost),
      messages: () => messages,
      freeze() {
        frozen = new Promise(() => {})
      },
      end: release,
    }
  }

  /** What the bucket has, which is all that is left once no loan is open. */
  const left = async () => (await kept.buckets.free.draw('team', 0)).remaining
  return { startProcess, left }
}

async function drawOften(process: Process, count: number): Promise<Draw[]> {
  const draws: Draw[] = []
  for (let each = 0; each < count; each += 1) draws.push(await process.draw())
  return draws
}

const allowedOf = (draws: Draw[]) => draws.filter(({ allowed }) => allowed).length

describe('a process that draws often', () => {
  it('borrows by need, and sends few messages', async () => {
    const { startProcess } = openNode()
    const process = startProcess()
    expect(allowedOf(await drawOften(process, 400))).toBe(400)
    expect(process.messages()).toBeLessThan(60)
  })

  it('gives back soon what it has not spent', async () => {
    const { startProcess, left } = openNode()
    await drawOften(startProcess(), 20)
    expect(await left()).toBeLessThan(burst - 20)
    await eventually(async () => expect(await left()).toBe(burst - 20))
  })

  it('borrows nothing where it draws seldom', async () => {
    const { startProcess, left } = openNode()
    await drawOften(startProcess(), 5)
    expect(await left()).toBe(burst - 5)
  })
})

describe('of several processes', () => {
  it('exactly what the bucket has passes, whoever draws it', async () => {
    const { startProcess } = openNode()
    const processes = [startProcess(), startProcess(), startProcess(), startProcess()]
    // Some draw more than others, and none all at once.
    const draws = await Promise.all(
      processes.flatMap((process, index) =>
        Array.from({ length: index + 1 }, () => drawOften(process, burst / 4)),
      ),
    )
    expect(allowedOf(draws.flat())).toBe(burst)
  })

  it('no more than its burst passes after it was refilled while some was borrowed', async () => {
    const { startProcess } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    await drawOften(one, 20)
    clockMs += 10 * burst * 1_000
    const draws = await Promise.all([drawOften(other, burst), drawOften(one, burst)])
    const passed = allowedOf(draws.flat())
    expect(passed).toBeLessThanOrEqual(burst)
    expect(passed).toBeGreaterThan(burst - 50)
  })

  it('one gets the last token that another has borrowed', async () => {
    const { startProcess, left } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    await drawOften(one, 20)
    const all = (await left()) + 1
    expect(all).toBeLessThan(burst - 20)
    expect(await other.draw(burst - 20)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await one.draw()).toMatchObject({ allowed: false })
  })

  it('one gets also what is on its way to another', async () => {
    const { startProcess } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    await drawOften(one, 7)
    const [last, all] = await Promise.all([one.draw(), other.draw(burst - 8)])
    expect(last.allowed).toBe(true)
    expect(all).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('none says that more is left than there is', async () => {
    const { startProcess } = openNode()
    const processes = [startProcess(), startProcess(), startProcess()]
    let passed = 0
    const draw = async (process: Process) => {
      const { allowed, remaining } = await process.draw()
      if (allowed) passed += 1
      // Whatever passed by now had passed before the answer could be read.
      expect(remaining).toBeLessThanOrEqual(burst - passed)
    }
    for (let each = 0; each < burst; each += 1) await Promise.all(processes.map(draw))
    expect(passed).toBe(burst)
  })

  it('one that does not answer holds nobody up, and its loan counts as spent', async () => {
    const { startProcess } = openNode()
    const [one, other] = [startProcess(), startProcess()]
    await drawOften(one, 20)
    one.freeze()
    const beganMs = performance.now()
    expect(await other.draw(burst - 20)).toMatchObject({ allowed: false })
    expect(performance.now() - beganMs).toBeLessThan(2_000)
    const { remaining } = await other.draw()
    expect(remaining).toBeGreaterThan(burst / 2)
  })

  it('one that ends has spent what it had', async () => {
    const { startProcess, left } = openNode()
    const one = startProcess()
    await drawOften(one, 20)
    const before = await left()
    one.end()
    await eventually(async () => expect(await left()).toBe(before))
    expect(await startProcess().draw(before)).toMatchObject({ allowed: true })
  })
})
