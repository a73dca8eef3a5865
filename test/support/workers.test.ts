import { expect, it } from 'vitest'
import { workersOn } from './workers.ts'

it('three files run at once on two cores, fewer on one, and no more than four', () => {
  expect([1, 2, 3, 64].map(workersOn)).toEqual([2, 3, 4, 4])
})
