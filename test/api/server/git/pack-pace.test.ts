/** The pace of a pack. */
import { expect, it } from 'vitest'
import { createPackPace, ticksInWindow } from '../../../../src/api/server/git/pack-pace.ts'

it('is slow only after a whole window without enough, and no more once enough came', () => {
  const pace = createPackPace(300)
  const ticks = (count: number, bytes: number) =>
    Array.from({ length: count }, () => {
      pace.came(bytes)
      return pace.tick()
    })
  expect(ticks(ticksInWindow - 1, 0)).not.toContain(true)
  expect(ticks(1, 0)).toEqual([true])
  expect(ticks(2, 149)).toEqual([true, true])
  expect(ticks(1, 2)).toEqual([false])
  expect(ticks(ticksInWindow - 3, 0)).not.toContain(true)
  expect(ticks(1, 0)).toEqual([true])
})
