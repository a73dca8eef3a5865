import { expect, it } from 'vitest'
import { createHourly } from '../../../src/platform/mail/hourly.ts'

const minuteMs = 60_000

it('allows so many within any hour, and each name for itself', () => {
  const hourly = createHourly(3)
  const takes = [0, 20, 40, 59, 60, 61, 79, 80].map((minute) => hourly.take('ada', minute * minuteMs))
  expect(takes).toEqual([true, true, true, false, true, false, false, true])
  expect(hourly.take('grace', 59 * minuteMs)).toBe(true)
})

it('counts what happens at once, in whatever order it comes', () => {
  const hourly = createHourly(3)
  expect([5, 4, 3, 2, 1].map((ms) => hourly.take('ada', ms))).toEqual([true, true, true, false, false])
})

it('does not count what a clock that was set back has seen', () => {
  const hourly = createHourly(1)
  expect(hourly.take('ada', 100 * minuteMs)).toBe(true)
  expect(hourly.take('ada', minuteMs)).toBe(true)
})
