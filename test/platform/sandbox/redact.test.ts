import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/platform/sandbox/redact.ts'
import { redactorOf } from '../builds/build.ts'

const redact = async (text: string, ...values: string[]) => (await createRedactor(values))?.redact(text)

it.each([
  ['as it is', 'token hunter2 here', 'token [redacted] here'],
  ['every time', 'hunter2hunter2,hunter2', '[redacted][redacted],[redacted]'],
  ['not a part of it', 'hunter hunter1', 'hunter hunter1'],
])('replaces a value %s', async (_how, text, expected) => {
  expect(await redact(text, 'hunter2')).toBe(expected)
})

it('replaces a value in JSON, in a URL and in base64', async () => {
  const value = 'a "b"\\c/d&é'
  const forms = [JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(value).toString('base64')]
  for (const form of forms) expect(await redact(form, value)).not.toContain(form.slice(10, 20))
  expect(await redact(JSON.stringify({ value }), value)).toBe('{"value":"[redacted]"}')
})

it('replaces the longest of several, and all overlapping ones', async () => {
  expect(await redact('password-and-more', 'password', 'password-and-more')).toBe('[redacted]')
  expect(await redact('abcdefgh', 'abcdef', 'cdefgh')).toBe('[redacted]')
  expect(await redact('aaaaaaa', 'aaaa')).toBe('[redacted]')
})

it('replaces each line of a multi-line value', async () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\r\nkqhkiG9w0BAQEF\n-----END KEY-----\n'
  expect(await redact('  MIIEvQIBADANBg', key)).toBe('  [redacted]')
  expect(await redact('kqhkiG9w0BAQEF', key)).toBe('[redacted]')
})

it('finds a value whose control characters were made visible', async () => {
  expect(await redact('a␀bcd', 'a\u0000bcd')).toBe('[redacted]')
})

it('keeps short values and text that is not secret', async () => {
  const values = ['', '1', 'abc', 'true', 'production', '   ']
  expect(await redact('1 abc is true in production   ', ...values)).toBe('1 abc is true in production   ')
})

it('treats a value as plain text, not as a pattern or a replacement pattern', async () => {
  expect(await redact('xx.* $& .*$&', '.*$&')).toBe('xx.* $& [redacted]')
})

it('finds the same as a search for each value, whatever they have in common', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ab', 'c'), minLength: 4, maxLength: 12 })
  return fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { maxLength: 8 }),
      async (values, rest) => {
        const text = [...rest, ...values].join('')
        expect(await redact(text, ...values)).toBe(
          oneByOne(
            text,
            values.map((value) => value.trim()),
          ),
        )
      },
    ),
  )
})

/** The text covered by values, each searched for on its own; overlapping occurrences are replaced as one. */
function oneByOne(text: string, values: string[]): string {
  const spans = values.flatMap((value) =>
    Array.from(text, (_, start) => ({ start, end: start + value.length })).filter(
      ({ start }) => value.length >= 4 && text.startsWith(value, start),
    ),
  )
  const merged: { start: number; end: number }[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged.reduceRight(
    (all, { start, end }) => `${all.slice(0, start)}[redacted]${all.slice(end)}`,
    text,
  )
}

it('examines each character once, however many values there are', async () => {
  const values = Array.from({ length: 10 }, (_, v) =>
    Array.from({ length: 10_000 }, (_, line) => `v${v}x${line}`).join('\n'),
  )
  const redactor = await redactorOf(values)
  // Searched for one by one, ten thousand of them take a millisecond per line: this would be a minute and a
  // half.
  const lines = Array.from({ length: 10_000 }, (_, line) => redactor.redact(`line ${line} of v3x${line}`))
  expect(lines[9]).toBe('line 9 of [redacted]')
  expect(lines.at(-1)).toBe('line 9999 of [redacted]')
  expect(redactor.redact('a'.repeat(9_999))).toBe('a'.repeat(9_999))
  const alike = await redactorOf(Array.from({ length: 100 }, (_, i) => 'a'.repeat(1_000 + i)))
  expect(alike.redact('a'.repeat(1_000_000))).toBe('[redacted]')
}, 30_000)

it('searches for plain values alone beyond the most encoded forms; too many are reported', async () => {
  const values = Array.from({ length: 20 }, (_, i) => `${i}é`.repeat(20_000))
  const redactor = await redactorOf(values)
  for (const value of values) expect(redactor.redact(`a${value}b`)).toBe('a[redacted]b')
  const tooMany = Array.from({ length: 100 }, (_, i) => `${i}`.repeat(65_536).slice(0, 65_536))
  expect(await createRedactor(tooMany)).toBeUndefined()
}, 30_000)

it('yields while it prepares for many', async () => {
  let turns = 0
  const turn = () => {
    turns += 1
    handle = setImmediate(turn)
  }
  let handle = setImmediate(turn)
  await redactorOf(['x'.repeat(60_000).replaceAll('x', (_, i) => `${i},`)])
  clearImmediate(handle)
  expect(turns).toBeGreaterThan(5)
})
