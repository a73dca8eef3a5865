import { expect, it } from 'vitest'
import { createBackOff } from '../../../src/lib/async/back-off.ts'

it('a process that ended is started again at once, then after longer and longer pauses', () => {
  const { pauseAfter } = createBackOff({ firstMs: 125, longestMs: 4_000, healthyMs: 10_000 })
  const pauses = Array.from({ length: 9 }, () => pauseAfter(200))
  expect(pauses).toEqual([0, 125, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
})

it('one that ran for long is started again at once', () => {
  const { pauseAfter } = createBackOff({ firstMs: 125, longestMs: 4_000, healthyMs: 10_000 })
  for (let ends = 0; ends < 5; ends += 1) pauseAfter(200)
  expect(pauseAfter(9_999)).toBeGreaterThan(0)
  expect(pauseAfter(10_000)).toBe(0)
  expect(pauseAfter(200)).toBe(125)
})
