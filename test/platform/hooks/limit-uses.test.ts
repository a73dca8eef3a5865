import { expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { addUse } from '../../../src/platform/hooks/limit-uses.ts'

const minuteMs = 60_000
const tenMinutes = Array.from({ length: 10 }, (_, minute) => minute * minuteMs)

/** The error that the use throws. */
function refusalOf(usesMs: number[], nowMs: number): unknown {
  try {
    return addUse(usesMs, nowMs)
  } catch (error) {
    return error
  }
}

it('a use is added to those before, of which ten are kept', () => {
  expect(addUse([], 5)).toEqual([5])
  expect(addUse(tenMinutes, 60 * minuteMs)).toEqual([...tenMinutes.slice(1), 60 * minuteMs])
})

it('the eleventh within an hour is refused until the first is an hour old', () => {
  const refused = refusalOf(tenMinutes, 60 * minuteMs - 1)
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ reason: 'rate_limited', retryAfterMs: 1 })
  expect(refusalOf(tenMinutes, 10 * minuteMs)).toMatchObject({
    retryAfterMs: 50 * minuteMs,
    message: expect.stringContaining('Try again in 50 min.'),
  })
})
