/** Names in messages. */
import { expect, it } from 'vitest'
import { cut } from '../../../src/lib/cut.ts'
import { AppError, invalidField } from '../../../src/lib/errors.ts'
import { spelledOut } from '../../../src/lib/names/spelled-out.ts'

it.each([
  ['a "name"', '"a \\"name\\""'],
  ['u\u0308', '"u\\u{308}"'],
  ['x'.repeat(100), `"${'x'.repeat(100)}"`],
  ['x'.repeat(65_000), `"${'x'.repeat(100)}…"`],
  [`${'x'.repeat(99)}\u{1f600}`, `"${'x'.repeat(99)}\ufffd…"`],
])('%j is spelled out, and cut where it is long', (name, spelled) => {
  expect(spelledOut(name)).toBe(spelled)
})

it('a text that is short enough is not cut', () => {
  expect([cut('abc', 3), cut('abcd', 3)]).toEqual(['abc', 'abc…'])
})

it('an error has the beginnings of what it quotes', () => {
  const long = 'x'.repeat(100_000)
  const { message, issues } = invalidField(`field.${long}`, `is ${long}`)
  expect(message).toHaveLength(2_001)
  expect(issues?.map((issue) => [issue.path.length, issue.message.length])).toEqual([[301, 2_001]])
  expect(new AppError('not_ready', 'It is queued.').message).toBe('It is queued.')
})
