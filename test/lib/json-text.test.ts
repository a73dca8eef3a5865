/** JSON as editors save it. */
import { expect, it } from 'vitest'
import { parseJsonText } from '../../src/lib/json-text.ts'

it.each([
  ['with a byte order mark', '\uFEFF{"a":1}'],
  ['without one', '{"a":1}'],
])('a text %s', (_what, text) => {
  expect(parseJsonText(text)).toEqual({ a: 1 })
})

it.each([
  ['UTF-16 with a mark', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
  ['UTF-16 without one', Buffer.from('{"a":1}', 'utf16le')],
])('%s is named as what it is', (_what, bytes) => {
  expect(() => parseJsonText(bytes.toString())).toThrow('the text is not UTF-8')
})

it('two marks are no JSON', () => {
  expect(() => parseJsonText('\uFEFF\uFEFF{}')).toThrow(SyntaxError)
})
