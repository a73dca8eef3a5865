/** The rule for names that people give and others read. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { displayText, toDisplayText } from '../../../src/lib/names/display-text.ts'

const name = displayText({ max: 100 })
const messagesOf = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message) ?? []

const code = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`

describe('are taken as they are', () => {
  it.each([
    'Ada Lovelace',
    'Søren Æ. Kierkegård',
    "Conan O'Brien-Smith, Jr. <ada>",
    'محمد علي',
    'נועה לוי',
    '山田 太郎',
    '김철수',
    'ნინო',
    'Zoë 🚀',
    '👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 1️⃣ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    // Joiners that are written: Sinhala, Bengali, Persian.
    'ශ්‍රී ලංකා',
    'ক্‌ত',
    'علی‌رضا',
    '🔑 "key"',
    '#1',
    '—',
  ])('%s', (text) => expect(name.parse(text)).toBe(text))
})

describe('are taken in one spelling', () => {
  it.each([
    ['in NFD', 'Zoe\u0308', 'Zoë'],
    ['with blanks around', ' \t Ada \n', 'Ada'],
    ['with blanks of other kinds', 'Ada\u00a0\u2003\u3000Lovelace', 'Ada Lovelace'],
    ['with the Braille blank', 'Owner\u2800Two', 'Owner Two'],
    ['with a note that has no ink', 'Owner\u{1d159}Two', 'Owner Two'],
  ])('%s', (_, text, spelled) => expect(name.parse(text)).toBe(spelled))
})

describe('are refused', () => {
  const hidden = [
    ...[0x00, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9f],
    ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x3164, 0xffa0],
    ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x2060, 0x2061, 0x2064, 0x206f, 0xfeff],
    ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    ...[0xfe00, 0xfe0e, 0xfe0f, 0xfff9, 0xfffb, 0xfff0, 0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
    ...[0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0xd800, 0xdfff, 0xfdd0, 0xffff, 0x1fffe],
  ]

  it.each(hidden.map((point) => [code(point), point] as const))('%s between letters', (named, point) => {
    expect(messagesOf(`a${String.fromCodePoint(point)}b`)).toEqual([
      `must be one line, without characters that nobody sees or that reorder others, such as ${named}`,
    ])
  })

  it.each(hidden.map((point) => [code(point), point] as const))('%s alone', (_, point) => {
    expect(name.safeParse(String.fromCodePoint(point)).success).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['blanks alone', ' \u00a0\u3000 '],
    ['the Braille blank alone', '\u2800'],
    ['fillers alone', '\u3164\u115f\u1160\uffa0'],
    ['marks alone', '\u0301\u0489'],
    ['an egyptian blank alone', '\u{13441}\u{13442}'],
  ])('%s: nothing can be seen', (_, text) => {
    expect(messagesOf(text)).toHaveLength(1)
  })

  it.each([
    ['between emoji that make no sequence', '😀\u200d😀'],
    ['after an emoji', '😀\u200d'],
    ['a selector after an emoji that needs none', '😀\ufe0f'],
    ['a selector after a digit', '1\ufe0f'],
    ['tags after a flag that spell anything', '🏴\u{e0061}\u{e0062}\u{e007f}'],
    ['a joiner after a letter', 'علي\u200d'],
    ['after a letter that joins nothing', 'د\u200cر'],
    ['after a virama, before nothing', 'ක්\u200d'],
  ])('what joins, but nothing: %s', (_, text) => expect(messagesOf(text)).toHaveLength(1))

  it('more than 30 marks on a character, and a very long text of such, at once', () => {
    expect(name.safeParse(`a${'\u0489'.repeat(30)}`).success).toBe(true)
    expect(messagesOf(`a${'\u0489'.repeat(31)}`)).toEqual(['must have at most 30 marks on a character'])
    // To normalize it would take minutes.
    expect(name.safeParse('\u0301\u0316'.repeat(500_000)).success).toBe(false)
    expect(toDisplayText(`a${'\u0301\u0316'.repeat(500_000)}`, 100)).toMatch(/^á\u0316/)
  })

  it('too long ones, by what is left', () => {
    expect(messagesOf('x'.repeat(101))).toHaveLength(1)
    expect(name.parse(`${' '.repeat(200)}${'x'.repeat(100)}`)).toHaveLength(100)
  })
})

it('its schema is that of a text, with its lengths and without a pattern', () => {
  expect(z.toJSONSchema(displayText({ max: 100 }).meta({ description: 'A name' }), { io: 'input' })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'string',
    minLength: 1,
    maxLength: 100,
    description: 'A name',
  })
})

describe('of somewhere else', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Ada\u200b \u202eLovelace\u0000\n', 'Ada Lovelace'],
    ['Ada\u2028Lovelace', 'Ada Lovelace'],
    ['👩‍💻 Ada', '👩‍💻 Ada'],
    ['\ud800Ada', '\ufffdAda'],
    ['\u200b\u2060', ''],
    ['\u3164', ''],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('%j becomes %j', (text, line) => {
    expect(toDisplayText(text, 100)).toBe(line)
    if (line !== '') expect(name.parse(line)).toBe(line)
  })

  it('one that is cut within an emoji keeps no joiner', () => {
    expect(toDisplayText(`${'x'.repeat(97)}👩‍💻`, 100)).toBe(`${'x'.repeat(97)}👩`)
  })
})
