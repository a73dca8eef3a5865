import { expect, it } from 'vitest'
import { createRedactor } from '../../src/builds/redact.ts'

const redact = (text: string, ...values: string[]) => createRedactor(values).redact(text)

it.each([
  ['as it is', 'token hunter2 here', 'token [redacted] here'],
  ['every time', 'hunter2hunter2,hunter2', '[redacted][redacted],[redacted]'],
  ['not a part of it', 'hunter hunter1', 'hunter hunter1'],
])('replaces a value %s', (_how, text, expected) => {
  expect(redact(text, 'hunter2')).toBe(expected)
})

it('replaces a value in JSON, in an address and in base64', () => {
  const value = 'a "b"\\c/d&é'
  const forms = [JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(value).toString('base64')]
  for (const form of forms) expect(redact(form, value)).not.toContain(form.slice(10, 20))
  expect(redact(JSON.stringify({ value }), value)).toBe('{"value":"[redacted]"}')
})

it('replaces the longest of several, and all of those that overlap', () => {
  expect(redact('password-and-more', 'password', 'password-and-more')).toBe('[redacted]')
  expect(redact('abcdefgh', 'abcdef', 'cdefgh')).toBe('[redacted]')
  expect(redact('aaaaaaa', 'aaaa')).toBe('[redacted]')
})

it('replaces each line of a value that has several', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\r\nkqhkiG9w0BAQEF\n-----END KEY-----\n'
  expect(redact('  MIIEvQIBADANBg', key)).toBe('  [redacted]')
  expect(redact('kqhkiG9w0BAQEF', key)).toBe('[redacted]')
})

it('finds a value whose control characters were made visible', () => {
  expect(redact('a␀bcd', 'a\u0000bcd')).toBe('[redacted]')
})

it('leaves what is short or no secret', () => {
  const values = ['', '1', 'abc', 'true', 'production', '   ']
  expect(redact('1 abc is true in production   ', ...values)).toBe('1 abc is true in production   ')
})

it('takes a value for text, not for a pattern, nor a pattern of the replacement', () => {
  expect(redact('xx.* $& .*$&', '.*$&')).toBe('xx.* $& [redacted]')
})

it('is quick with many values and a long line', () => {
  const values = Array.from({ length: 100 }, (_, i) => 'a'.repeat(1_000 + i))
  expect(redact('a'.repeat(9_999), ...values)).toBe('[redacted]')
})
