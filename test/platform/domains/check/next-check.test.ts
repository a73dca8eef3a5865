import { describe, expect, it } from 'vitest'
import { waitMs } from '../../../../src/platform/domains/check/next-check.ts'

const minutes = (checks: number, over: { isWell?: boolean; hasFailed?: boolean; random?: number } = {}) =>
  waitMs({ checks, isWell: false, hasFailed: false, random: 0, ...over }) / 60_000

describe('the wait for the next check', () => {
  it('is a minute at first, then twice as long each time, and a day in the end', () => {
    const waits = Array.from({ length: 24 }, (_, checks) => minutes(checks))
    expect(waits.slice(0, 12)).toEqual(Array(12).fill(1))
    expect(waits.slice(12)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440])
    expect(minutes(1_000_000)).toBe(1440)
  })

  it('is a day once all has been well a few times', () => {
    expect([0, 1, 2, 3, 4].map((checks) => minutes(checks, { isWell: true }))).toEqual([1, 1, 1, 1440, 1440])
  })

  it('is an hour at most after a failure', () => {
    expect(minutes(30, { hasFailed: true })).toBe(60)
    expect(minutes(30, { hasFailed: true, isWell: true })).toBe(60)
    expect(minutes(0, { hasFailed: true })).toBe(1)
  })

  it('is randomized by a tenth, never beyond a day', () => {
    expect(minutes(99, { random: 1 })).toBe(1296)
    expect(minutes(0, { random: 0.5 })).toBe(0.95)
  })
})
