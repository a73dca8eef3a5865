/** Values to places in a chart. */
import { expect, it } from 'vitest'
import { linePath, niceMaximum } from '../../dashboard/src/views/metrics/scale.ts'

it.each([
  [0, 1],
  [0.4, 0.5],
  [1, 1],
  [3, 5],
  [68, 100],
  [101, 200],
])('the axis for %d ends at %d', (value, maximum) => {
  expect(niceMaximum(value)).toBeCloseTo(maximum)
})

it('draws from the left to the right, and upwards', () => {
  expect(
    linePath(
      [
        [0, 0],
        [1, 5],
        [2, 10],
      ],
      10,
    ),
  ).toBe('M0 1h0L0.5 0.5L1 0')
})

it('interrupts the line where a value is missing, and marks one that is alone', () => {
  expect(
    linePath(
      [
        [0, 10],
        [1, null],
        [2, 10],
        [3, null],
      ],
      10,
    ),
  ).toMatch(/^M0 0h0M0\.6+7? 0h0$/)
})
