/** What every store of limits has to do; each implementation runs this suite. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Draw, Limiter } from '../../../src/platform/limits/limiter.ts'
import type { Rate } from '../../../src/platform/limits/rate.ts'

export type OpenedLimiters = {
  /** A limiter of this rate that uses `now`, in milliseconds of a clock that never jumps. */
  create(rate: Rate, now: () => number): Promise<Limiter>
  close(): Promise<void>
}

type Node = {
  draw(id: string, cost?: number): Promise<Draw>
  giveBack(id: string, cost: number): Promise<void>
  advance(ms: number): void
}

/** Whole tokens are refilled at the millisecond, which a clock with fractions must not blur. */
const startMs = 123_456.789

/** A second, in steps that don't coincide with refills. */
const unevenSecond = [133, 167, 91, 209, 113, 287]

/** Declares the suite for the limiters that `open` returns. */
export function describeLimiter(name: string, open: () => Promise<OpenedLimiters>): void {
  describe(name, () => {
    let opened: OpenedLimiters

    beforeAll(async () => {
      opened = await open()
    })

    afterAll(() => opened.close())

    async function start(perSecond: number, burst: number): Promise<Node> {
      let nowMs = startMs
      const limiter = await opened.create({ perSecond, burst }, () => nowMs)
      return {
        draw: async (id, cost = 1) => limiter.draw(id, cost),
        giveBack: async (id, cost) => limiter.giveBack(id, cost),
        advance: (ms) => {
          nowMs += ms
        },
      }
    }

    const allowedOf = (draws: Draw[]) => draws.filter(({ allowed }) => allowed).length

    async function drawTimes(node: Node, id: string, times: number): Promise<Draw[]> {
      return Promise.all(Array.from({ length: times }, () => node.draw(id)))
    }

    it('allows exactly the burst, however many requests come at once', async () => {
      const node = await start(1, 30)
      const draws = await drawTimes(node, randomUUID(), 75)
      expect(allowedOf(draws)).toBe(30)
      expect(draws.filter(({ allowed }) => !allowed).every(({ remaining }) => remaining === 0)).toBe(true)
    })

    it('returns the remaining tokens', async () => {
      const node = await start(1, 3)
      const id = randomUUID()
      const left: number[] = []
      for (let i = 0; i < 4; i += 1) left.push((await node.draw(id)).remaining)
      expect(left).toEqual([2, 1, 0, 0])
    })

    it('returns how long to wait: that long is enough, a millisecond less is not', async () => {
      const node = await start(4, 20)
      const id = randomUUID()
      await drawTimes(node, id, 20)
      node.advance(101)
      const { allowed, waitMs } = await node.draw(id)
      expect({ allowed, waitMs }).toEqual({ allowed: false, waitMs: 149 })
      node.advance(waitMs - 1)
      expect(await node.draw(id)).toMatchObject({ allowed: false, waitMs: 1 })
      node.advance(1)
      expect((await node.draw(id)).allowed).toBe(true)
      expect((await node.draw(id)).allowed).toBe(false)
    })

    it.each([
      [3, 20],
      [7, 20],
      [20, 100],
      [300, 400],
      [1_500, 2_000],
    ])('allows %d a second in the long run', async (perSecond, burst) => {
      const node = await start(perSecond, burst)
      const id = randomUUID()
      await node.draw(id, burst)
      let passed = 0
      for (let second = 0; second < 3; second += 1) {
        for (const ms of unevenSecond) {
          node.advance(ms)
          passed += allowedOf(await drawTimes(node, id, Math.ceil(perSecond / 8)))
        }
        // What was not drawn within the second is there at its end.
        const { allowed, remaining } = await node.draw(id)
        passed += allowed
          ? 1 + (await node.draw(id, remaining).then((draw) => (draw.allowed ? remaining : 0)))
          : 0
      }
      expect(passed).toBe(3 * perSecond)
    })

    it('never holds more than the burst, however long nothing is drawn', async () => {
      const node = await start(5, 10)
      const id = randomUUID()
      await drawTimes(node, id, 4)
      node.advance(24 * 3_600_000)
      expect(allowedOf(await drawTimes(node, id, 25))).toBe(10)
    })

    it('keeps buckets separate', async () => {
      const node = await start(1, 5)
      const [one, other] = [randomUUID(), randomUUID()]
      expect(allowedOf(await drawTimes(node, one, 9))).toBe(5)
      expect(allowedOf(await drawTimes(node, other, 9))).toBe(5)
    })

    it('gives back what was drawn to that bucket alone, also to one that was empty', async () => {
      const node = await start(1, 5)
      const [one, other] = [randomUUID(), randomUUID()]
      await Promise.all([drawTimes(node, one, 9), drawTimes(node, other, 9)])
      await node.giveBack(one, 2)
      expect(allowedOf(await drawTimes(node, one, 9))).toBe(2)
      expect(allowedOf(await drawTimes(node, other, 9))).toBe(0)
    })

    it('holds no more than the burst, whatever is given back, nor refills sooner', async () => {
      const node = await start(1, 5)
      const id = randomUUID()
      await node.giveBack(id, 3)
      expect(allowedOf(await drawTimes(node, id, 9))).toBe(5)
      await Promise.all(Array.from({ length: 9 }, () => node.giveBack(id, 1)))
      expect(allowedOf(await drawTimes(node, id, 9))).toBe(5)
      node.advance(2_000)
      await node.giveBack(id, 9)
      expect(allowedOf(await drawTimes(node, id, 9))).toBe(5)
      node.advance(1_000)
      expect(allowedOf(await drawTimes(node, id, 9))).toBe(1)
    })

    it('draws several tokens or none', async () => {
      const node = await start(2, 10)
      const id = randomUUID()
      expect(await node.draw(id, 7)).toEqual({ allowed: true, remaining: 3, waitMs: 0 })
      const { allowed, waitMs } = await node.draw(id, 5)
      expect(allowed).toBe(false)
      expect((await node.draw(id, 3)).allowed).toBe(true)
      expect(waitMs).toBeGreaterThanOrEqual(1_000)
    })

    it('returns how long to wait for several tokens: that long is enough', async () => {
      const node = await start(3, 20)
      const id = randomUUID()
      await node.draw(id, 20)
      const { waitMs } = await node.draw(id, 10)
      node.advance(waitMs)
      expect((await node.draw(id, 10)).allowed).toBe(true)
    })

    it("neither refills nor blocks when the system's time is changed, forwards or back", async () => {
      const node = await start(1, 10)
      const id = randomUUID()
      const realNow = Date.now
      try {
        await drawTimes(node, id, 10)
        for (const hours of [8, -8, 24 * 365]) {
          vi.spyOn(Date, 'now').mockImplementation(() => realNow() + hours * 3_600_000)
          expect(await node.draw(id)).toMatchObject({ allowed: false, waitMs: 1_000 })
          node.advance(1_000)
          expect(allowedOf(await drawTimes(node, id, 3))).toBe(1)
        }
      } finally {
        vi.restoreAllMocks()
      }
    })
  })
}
