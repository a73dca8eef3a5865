/** The alerts of clocks. */
import { expect, it } from 'vitest'
import { lookAtClocks } from '../../../../src/platform/observability/alerts/clock.ts'

const clocks = ({ offMs = 0, jumpMs = 0 }) =>
  lookAtClocks({
    removal: { jumpMs: () => jumpMs },
    clockMs: () => 1_000_000,
    ownMs: () => 1_000_000 + offMs,
  })

it('a machine whose clock is a minute off the database’s, ahead or behind', () => {
  for (const offMs of [0, 59_999, -59_999]) expect(clocks({ offMs }), String(offMs)).toEqual([])
  expect(clocks({ offMs: 150_000 })).toMatchObject([
    {
      name: 'clock_off',
      figure: 150,
      unit: 'seconds_off',
      message: expect.stringContaining('2 minutes ahead'),
    },
  ])
  expect(clocks({ offMs: -7_200_000 })).toMatchObject([
    { name: 'clock_off', figure: -7_200, message: expect.stringContaining('2 hours behind') },
  ])
})

it('a clock that jumped ahead of the last run', () => {
  expect(clocks({ jumpMs: 40 * 86_400_000 })).toMatchObject([
    { name: 'clock_jumped', figure: 40, message: expect.stringContaining('svc admin clock accept') },
  ])
})
