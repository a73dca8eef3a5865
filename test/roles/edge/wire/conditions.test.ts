/** Conditional requests on a file with a strong ETag. */
import { expect, it } from 'vitest'
import { checkPreconditions, rangeApplies } from '../../../../src/roles/edge/wire/conditions.ts'

const etag = '"abc"'
const check = (fields: { ifMatch?: string; ifNoneMatch?: string }) =>
  checkPreconditions({ ifMatch: undefined, ifNoneMatch: undefined, ...fields }, etag)

it.each(['"abc"', 'W/"abc"', '*', ' * ', '"x", "abc"', '"x","y" , W/"abc"', '"a,b", "abc"', ',"abc",'])(
  '304 when If-None-Match is %s',
  (ifNoneMatch) => expect(check({ ifNoneMatch })).toBe(304),
)

it.each(['"abd"', 'abc', '', '"x", "y"', '"abc', '"x*"', '"\\"abc\\""', '"ABC"'])(
  'continues when If-None-Match is %j',
  (ifNoneMatch) => expect(check({ ifNoneMatch })).toBeUndefined(),
)

it.each(['"abc"', '*', '"x", "abc"'])('continues when If-Match is %s', (ifMatch) => {
  expect(check({ ifMatch })).toBeUndefined()
})

it.each(['"abd"', 'W/"abc"', '', 'abc'])('412 when If-Match is %j', (ifMatch) =>
  expect(check({ ifMatch })).toBe(412),
)

it('checks If-Match first', () => {
  expect(check({ ifMatch: '"x"', ifNoneMatch: '"abc"' })).toBe(412)
  expect(check({ ifMatch: '"abc"', ifNoneMatch: '"abc"' })).toBe(304)
})

it('a range is valid without If-Range or with this ETag, never with a weak one or a date', () => {
  expect(rangeApplies(undefined, etag)).toBe(true)
  expect(rangeApplies('"abc"', etag)).toBe(true)
  expect(rangeApplies('W/"abc"', etag)).toBe(false)
  expect(rangeApplies('"abd"', etag)).toBe(false)
  expect(rangeApplies('Sat, 21 Nov 2026 10:00:00 GMT', etag)).toBe(false)
})
