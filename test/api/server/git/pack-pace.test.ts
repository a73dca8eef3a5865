/** The pace of a pack. */
import { expect, it } from 'vitest'
import { createPackPace, ticksInWindow } from '../../../../src/api/server/git/pack-pace.ts'

const windowMs = 3_000
const atOnce = { bytes: 0, ms: 0 }

/** To whom the place is offered after each of so many parts of the window, with so many bytes in each. */
const ticksOf = (pace: ReturnType<typeof createPackPace>) => (count: number, bytes: number) =>
  Array.from({ length: count }, () => {
    pace.came(bytes)
    return pace.tick()
  })

it('is slow for everybody only after a whole window without enough, and no more once enough came', () => {
  const ticks = ticksOf(createPackPace(300, windowMs, atOnce))
  expect(ticks(ticksInWindow - 1, 0)).not.toContain('everybody')
  expect(ticks(1, 0)).toEqual(['everybody'])
  expect(ticks(2, 149)).toEqual(['everybody', 'everybody'])
  expect(ticks(1, 2)).toEqual([undefined])
  expect(ticks(ticksInWindow - 3, 0)).not.toContain('everybody')
  expect(ticks(1, 0)).toEqual(['everybody'])
})

it('is slow for newcomers after a tenth of a window without enough', () => {
  const ticks = ticksOf(createPackPace(300, windowMs, atOnce))
  expect(ticks(1, 200)).toEqual([undefined])
  expect(ticks(2, 0)).not.toContain('newcomers')
  expect(ticks(1, 0)).toEqual(['newcomers'])
  expect(ticks(1, 50)).toEqual([undefined])
})

it('counts what came before there was a place', () => {
  expect(createPackPace(300, windowMs, { bytes: 290, ms: windowMs }).tick()).toBe('everybody')
  expect(createPackPace(300, windowMs, { bytes: 500, ms: windowMs }).tick()).toBe(undefined)
  expect(createPackPace(300, windowMs, { bytes: 20, ms: windowMs / 10 }).tick()).toBe('newcomers')
})
