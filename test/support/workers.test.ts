import { expect, it } from 'vitest'
import { workersOn } from './workers.ts'

it('two files run at once for each core, and no more than four', () => {
  expect([1, 2, 3, 64].map(workersOn)).toEqual([2, 4, 4, 4])
})
