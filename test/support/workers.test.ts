import { expect, it } from 'vitest'
import { workersOn } from './workers.ts'

it('four files run at once on two cores, two on one, and never more than four', () => {
  expect([1, 2, 3, 64].map(workersOn)).toEqual([2, 4, 4, 4])
})
