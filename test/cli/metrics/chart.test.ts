/** Bar charts. */
import { describe, expect, it } from 'vitest'
import { type ChartOptions, drawChart, type Point } from '../../../src/cli/metrics/chart.ts'

const hourMs = 3_600_000

/** A value per hour from midnight on. */
const hourly = (values: (number | null)[]): Point[] => values.map((value, index) => [index * hourMs, value])

const options = {
  width: 40,
  height: 4,
  valueLabel: (value: number) => String(value),
  timeLabel: (timeMs: number) => `${String(timeMs / hourMs).padStart(2, '0')}h`,
  join: (values: number[]) => values.reduce((sum, value) => sum + value, 0),
}

const lines = (points: Point[], changes: Partial<ChartOptions>) =>
  drawChart(points, { ...options, ...changes }).lines

describe('a chart', () => {
  it('has bars from 0 up to the maximum, in eighths of a line', () => {
    expect(lines(hourly([0, 1, 16, 32]), { width: 9 })).toEqual([
      '32 ┤   █',
      '   │   █',
      '16 ┤  ██',
      '   │ ▁██',
      ' 0 └────',
      '    00h',
    ])
  })

  it('shows every value above 0, however small', () => {
    expect(lines(hourly([1, 1_000_000]), { width: 12 })[3]).toBe('        │▁█')
  })

  it('omits missing values', () => {
    expect(lines(hourly([8, null, 8]), { width: 6, height: 1 })).toEqual(['8 ┤█ █', '0 └───', '   00h'])
  })

  it('has wider bars if there is room, with the time below the start of a bar', () => {
    expect(lines(hourly([1, 2, 3, 4, 3, 2, 1]), { height: 2 })).toEqual([
      '4 ┤          ▄▄▄▄▄█████▄▄▄▄▄',
      '  │▄▄▄▄▄█████████████████████████▄▄▄▄▄',
      '0 └───────────────────────────────────',
      '   00h  01h  02h  03h  04h  05h  06h',
    ])
  })

  it('combines steps if there are more than columns, by sum or by the given function', () => {
    const points = hourly([1, 2, 3, 4, 5])
    const narrow = { ...options, width: 6, height: 1 }
    expect(lines(points, narrow)).toEqual(['7 ┤▃█▆', '0 └───', '   00h'])
    expect(drawChart(points, narrow).stepsPerBar).toBe(2)
    const max = { ...narrow, join: (values: number[]) => Math.max(...values) }
    expect(lines(points, max)[0]).toBe('5 ┤▃▆█')
    expect(lines(hourly([null, null, 3]), { ...narrow, width: 5 })[0]).toBe('3 ┤ █')
  })

  it('is flat if all values are 0 or missing, and has no line wider than requested', () => {
    expect(lines(hourly([0, null, 0]), { width: 6, height: 1 })).toEqual(['0 ┤', '0 └───', '   00h'])
    expect(lines([], {}).at(-2)).toBe('0 └')
    for (const steps of [1, 7, 24, 100, 1_000]) {
      for (const width of [10, 40, 79, 200]) {
        const points = hourly(Array.from({ length: steps }, (_, index) => index % 17))
        for (const line of lines(points, { width })) expect(line.length).toBeLessThanOrEqual(width)
      }
    }
  })
})
