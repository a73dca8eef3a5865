import { expect, it } from 'vitest'
import { createSlots } from '../../../src/domains/check/slots.ts'

it('runs no more at once than there are slots, in order, also after failures', async () => {
  const inSlot = createSlots(3)
  const begun: number[] = []
  let underWay = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      inSlot(async () => {
        begun.push(index)
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise((resolve) => setImmediate(resolve))
        underWay -= 1
        if (index % 2 === 0) throw new Error('failed')
        return index
      }),
    ),
  )
  expect(most).toBe(3)
  expect(begun).toEqual([...begun].sort((a, b) => a - b))
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
    results.map((_, index) => index % 2 === 1),
  )
})
