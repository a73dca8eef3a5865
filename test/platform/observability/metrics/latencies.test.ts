import { describe, expect, it } from 'vitest'
import {
  addFormatted,
  clearLatencies,
  createLatencies,
  formatLatencies,
  latencyKey,
  percentile,
} from '../../../../src/platform/observability/metrics/latencies.ts'

function latenciesOf(values: number[]) {
  const latencies = createLatencies()
  for (const value of values) latencies.add(latencyKey(value))
  return latencies
}

function copyOf(...texts: string[]) {
  const latencies = createLatencies()
  for (const text of texts) addFormatted(latencies, text)
  return latencies
}

describe('a percentile', () => {
  it('of nothing is undefined', () => {
    expect(percentile(createLatencies(), 50)).toBeNull()
  })

  it.each([
    [50, 50],
    [95, 95],
    [99, 99],
    [100, 100],
  ])('%i of one to a hundred is %i', (percent, expected) => {
    const latencies = latenciesOf(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(Math.abs((percentile(latencies, percent) ?? 0) / expected - 1)).toBeLessThan(0.0076)
  })

  it('of few values is one of them: the nearest rank', () => {
    const few = latenciesOf([1, 2, 1_000])
    expect(percentile(few, 50)).toBeCloseTo(2, 1)
    expect((percentile(few, 95) ?? 0) / 1_000).toBeCloseTo(1, 2)
  })

  it.each([0.001, 0.0123, 0.999, 1, 7.5, 123_456, 86_400_000])(
    'of %d alone is off by 0.75 % at most',
    (value) => {
      const found = percentile(latenciesOf([value]), 95) ?? 0
      expect(Math.abs(found / value - 1)).toBeLessThanOrEqual(0.007501)
    },
  )

  it('of a duration of 0 or less is the minimum', () => {
    expect(percentile(latenciesOf([0, -1]), 50)).toBeCloseTo(0.001, 4)
  })
})

describe('a histogram as text', () => {
  it.each([[[]], [[0.001]], [[0.5]], [[1]], [[1, 1, 1]], [[0.002, 5, 5, 1_000_000]]])(
    'of %j is parsed back unchanged',
    (values) => {
      const latencies = latenciesOf(values)
      const copy = copyOf(formatLatencies(latencies))
      expect(copy.count).toBe(values.length)
      expect(formatLatencies(copy)).toBe(formatLatencies(latencies))
      for (const percent of [1, 50, 99])
        expect(percentile(copy, percent)).toBe(percentile(latencies, percent))
    },
  )

  it('contains counts of any size', () => {
    const latencies = createLatencies()
    latencies.add(latencyKey(3), 5_000_000_000)
    latencies.add(latencyKey(9), 127)
    latencies.add(latencyKey(27), 128)
    const copy = copyOf(formatLatencies(latencies))
    expect(copy.count).toBe(5_000_000_255)
    expect(formatLatencies(copy)).toBe(formatLatencies(latencies))
  })

  it('adds up, in whatever order, to the histogram of all', () => {
    const values = Array.from({ length: 3_000 }, (_, index) => 0.01 * 1.004 ** index)
    const third = (rest: number) =>
      formatLatencies(latenciesOf(values.filter((_, index) => index % 3 === rest)))
    const all = formatLatencies(latenciesOf(values))
    expect(formatLatencies(copyOf(third(0), third(1), third(2)))).toBe(all)
    expect(formatLatencies(copyOf(third(2), third(0), third(1)))).toBe(all)
  })

  it('contains nothing from before it was cleared', () => {
    const latencies = copyOf(formatLatencies(latenciesOf([1, 5_000])))
    clearLatencies(latencies)
    expect(percentile(latencies, 50)).toBeNull()
    const text = formatLatencies(latenciesOf([20, 20, 300]))
    addFormatted(latencies, text)
    expect(formatLatencies(latencies)).toBe(text)
  })

  it('of a minute with a request per second is short', () => {
    const values = Array.from({ length: 60 }, (_, index) => 0.2 + ((index * 37) % 60))
    expect(formatLatencies(latenciesOf(values)).length).toBeLessThan(200)
  })
})
