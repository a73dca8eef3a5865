import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLateRefusals } from '../../../src/platform/limits/late-refusals.ts'

const burst = 5

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const create = () => createLateRefusals({ perSecond: 1, burst }, { now: () => 0 })

it('refuses at once as often as the rate allows requests, then within a second, in order', () => {
  const late = create()
  const refused: number[] = []
  for (let number = 0; number < burst + 3; number += 1) late.hold('a', () => refused.push(number))
  expect(refused).toEqual([0, 1, 2, 3, 4])
  late.hold('b', () => refused.push(100))
  expect(refused.at(-1)).toBe(100)
  vi.advanceTimersByTime(900)
  expect(refused).toHaveLength(burst + 1)
  late.hold('a', () => refused.push(8))
  vi.advanceTimersByTime(100)
  expect(refused.slice(-3)).toEqual([5, 6, 7])
  vi.advanceTimersByTime(900)
  expect(refused.at(-1)).toBe(8)
  expect(vi.getTimerCount()).toBe(0)
})

it('holds 256 of a bucket and 4,096 in all, and as many again when they are refused', () => {
  const late = create()
  const refuse = vi.fn()
  const holdAll = (id: string) => {
    let count = 0
    while (late.hold(id, refuse)) count += 1
    return count
  }
  expect(holdAll('a')).toBe(burst + 256)
  for (let number = 1; number < 16; number += 1) expect(holdAll(`b${number}`)).toBe(burst + 256)
  expect(holdAll('c')).toBe(burst)
  vi.advanceTimersByTime(1_000)
  expect(refuse).toHaveBeenCalledTimes(17 * burst + 4_096)
  expect(holdAll('a')).toBe(256)
  expect(holdAll('c')).toBe(256)
})
