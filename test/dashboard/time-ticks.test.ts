/** The times and dates below the charts of the dashboard, in the zone of who reads them. */
import { expect, it } from 'vitest'
import { timeTicks } from '../../dashboard/src/views/metrics/time-ticks.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A local time, as tests run in any zone. */
const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

const textsOf = (fromMs: number, toMs: number) =>
  timeTicks(fromMs, toMs, 7).map(({ time, date }) =>
    [time, date].filter((text) => text !== undefined).join(' '),
  )

it('a day has times of the clock, with a date where the day changes', () => {
  expect(textsOf(at(27, 17, 10), at(28, 17, 10))).toEqual([
    '20:00',
    '00:00 28 Nov',
    '04:00',
    '08:00',
    '12:00',
    '16:00',
  ])
})

it('a date comes first where the day changes later', () => {
  expect(textsOf(at(27, 11, 10), at(28, 11, 10))).toEqual([
    '12:00 27 Nov',
    '16:00',
    '20:00',
    '00:00 28 Nov',
    '04:00',
    '08:00',
  ])
})

it('an hour has its minutes', () => {
  expect(textsOf(at(27, 17, 10), at(27, 18, 10))).toEqual([
    '17:10 27 Nov',
    '17:20',
    '17:30',
    '17:40',
    '17:50',
    '18:00',
    '18:10',
  ])
})

it('a week and more have dates alone', () => {
  expect(textsOf(at(10, 9), at(17, 9))).toEqual(['11 Nov', '13 Nov', '15 Nov', '17 Nov'])
  expect(textsOf(at(1), at(29))).toEqual(['1 Nov', '8 Nov', '15 Nov', '22 Nov', '29 Nov'])
})

it.each([1, 3, 7, 30, 90, 400, 2_000])(
  '%i days have one to seven times, each in the range and in order',
  (days) => {
    const [fromMs, toMs] = [at(3, 5, 17), at(3, 5, 17) + days * dayMs]
    const times = timeTicks(fromMs, toMs, 7).map(({ timeMs }) => timeMs)
    expect(times.length).toBeGreaterThan(0)
    expect(times.length).toBeLessThanOrEqual(7)
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    for (const timeMs of times) expect(timeMs >= fromMs && timeMs <= toMs).toBe(true)
  },
)
