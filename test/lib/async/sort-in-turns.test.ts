/** Sorting in steps has the same result as sorting at once. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../../../src/lib/async/in-turns.ts'
import { sortInTurns } from '../../../src/lib/async/sort-in-turns.ts'

type Item = { key: number; place: number }

const byKey = (a: Item, b: Item) => a.key - b.key

it.each([0, 1, 499, 500, 501, 1_000, 1_001, 4_321])('%d items, equal ones in their order', (length) => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: length, maxLength: length }), (keys) => {
      const items = keys.map((key, place) => ({ key, place }))
      expect(atOnce(sortInTurns(items, byKey))).toEqual(items.toSorted(byKey))
    }),
    { numRuns: 5 },
  )
})

it('yields often, so that it can be interrupted', () => {
  const work = sortInTurns([...Array(2_000).keys()].reverse(), (a, b) => a - b)
  let yields = 0
  while (!work.next().done) yields += 1
  expect(yields).toBeGreaterThan(1_000)
})
