import { describe, expect, it } from 'vitest'
import { inParallel } from '../../../src/lib/async/in-parallel.ts'

describe('work in parallel', () => {
  it('returns its results in order, with a limited number under way', async () => {
    let running = 0
    let most = 0
    const results = await inParallel([3, 1, 2, 0, 4], 2, async (turns) => {
      running += 1
      most = Math.max(most, running)
      for (let i = 0; i < turns; i += 1) await null
      running -= 1
      return turns * 10
    })
    expect(results).toEqual([30, 10, 20, 0, 40])
    expect(most).toBe(2)
  })

  it('starts nothing new after a failure, and rejects with it once the rest has ended', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const work = inParallel([0, 1, 2, 3], 2, async (item) => {
      begun.push(item)
      if (item === 0) throw new Error('no')
      for (let i = 0; i < 5; i += 1) await null
      ended.push(item)
    })
    await expect(work).rejects.toThrow('no')
    expect(begun).toEqual([0, 1])
    expect(ended).toEqual([1])
  })
})
