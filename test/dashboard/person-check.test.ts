/** A page of the dashboard acts for one person, whoever signs in in another tab. */
import { expect, it } from 'vitest'
import { createPersonCheck } from '../../dashboard/src/lib/person-check.ts'

it('is loaded again, and refuses the response, where it is of another person than the first', () => {
  let reloads = 0
  const check = createPersonCheck(() => {
    reloads += 1
  })
  for (const userId of ['user_1', undefined, 'user_1']) check(userId)
  expect(reloads).toBe(0)
  expect(() => check('user_2')).toThrow('Somebody else has signed in')
  expect(reloads).toBe(1)
  check('user_1')
  expect(reloads).toBe(1)
})
