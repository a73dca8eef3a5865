/** What is stored for a TXT that somebody copied, in quotes or without. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRecord } from '../../../src/platform/dns/parse-record.ts'
import { parseTyped } from '../../../src/platform/dns/parse-typed.ts'
import type { RecordInput } from '../../../src/platform/dns/record-input.ts'
import { returnedStrings } from '../../../src/platform/dns/returned-strings.ts'

const zone = 'example.com'
const typed = (value: string, more: Partial<RecordInput> = {}) =>
  parseTyped({ name: '@', type: 'TXT', value, ...more }, zone)

const text = (bytes: number) => 'x'.repeat(bytes)

describe('a value of nothing but texts in quotes is read as zone files write it', () => {
  it.each<[string, string, string[] | null]>([
    ['"v=spf1 mx -all"', 'v=spf1 mx -all', null],
    [' \t"v=spf1 mx -all"\r\n', 'v=spf1 mx -all', null],
    ['\u00a0"v=spf1 mx -all"', 'v=spf1 mx -all', null],
    ['"v=DKIM1; k=rsa; p=AAAA" "BBBB"', 'v=DKIM1; k=rsa; p=AAAABBBB', ['v=DKIM1; k=rsa; p=AAAA', 'BBBB']],
    ['"a"\n\t"b"', 'ab', ['a', 'b']],
    ['"a""b"', 'ab', ['a', 'b']],
    ['("a" "b")', 'ab', ['a', 'b']],
    ['( "a"\n  "b" )', 'ab', ['a', 'b']],
    ['"a" ( "b" "c" )', 'abc', ['a', 'b', 'c']],
    ['( "v=DKIM1; " ; one ("\n\t  "p=A" )  ; ----- DKIM key', 'v=DKIM1; p=A', ['v=DKIM1; ', 'p=A']],
    ['"v=DMARC1\\; p=none"', 'v=DMARC1; p=none', null],
    ['"say \\"hi\\" \\\\ \\065\\195\\188"', 'say "hi" \\ Aü', null],
    ['"ü (1); 😀"', 'ü (1); 😀', null],
    ['"two\nlines"', 'two\nlines', null],
    ['""', '', null],
    ['"" ""', '', ['', '']],
    ['"...UL9" "\\" \\"7vGm..."', '...UL9" "7vGm...', ['...UL9', '" "7vGm...']],
    ['"\\"v=spf1 -all\\""', '"v=spf1 -all"', null],
    [`"${text(255)}" "${text(3)}"`, text(258), null],
    [`"${text(300)}"`, text(300), null],
    // As servers cut it that count bytes.
    [`"${text(254)}\\195" "\\188"`, `${text(254)}ü`, null],
  ])('%j', (value, stored, strings) => {
    expect(typed(value)).toMatchObject({ value: stored, strings })
    expect(typed(value, { strings: null })).toMatchObject({ value: stored, strings })
  })
})

describe('any other value is the text itself', () => {
  it.each([
    ...['a "b" c', 'key="x"', '"a" b', 'a "b"', '"a', 'a"', '"', '"a\\"', '"a"b"', '"a", "b"'],
    ...['("a"', '"a")', ')"a"(', '()', '"a"; "b"', '; "a"', "'a'", 'a “b” c', '“a', '“', '\\"a\\"'],
  ])('%j', (value) => {
    expect(typed(value)).toMatchObject({ value, strings: null })
  })

  it.each(['"a"', '"a" "b"', '“a”', '"\\999"'])('%j beside strings', (value) => {
    expect(typed(value, { strings: [value] })).toMatchObject({ value, strings: null })
  })

  it('of types that have quotes of their own', () => {
    expect(typed('0 issue "ca.example"', { type: 'CAA' })).toMatchObject({ value: '0 issue "ca.example"' })
    expect(typed('"192.0.2.1"', { type: 'A' })).toMatchObject({ issues: [{ path: 'value' }] })
  })
})

describe('refused', () => {
  it.each([
    ['“v=spf1 -all”', '“ ”'],
    [' „v=spf1 -all“\n', '„ “'],
    ['”v=spf1 -all”', '” ”'],
    ['«v=spf1 -all»', '« »'],
    ['»v=spf1 -all«', '» «'],
    ['‘v=spf1 -all’', '‘ ’'],
    ['“v=DKIM1; ” “p=A”', '“ ”'],
    ['“v=spf1 -all"', '“ "'],
    ['"v=spf1 -all”', '" ”'],
    ['“”', '“ ”'],
  ])('%s, whose quotes are none of zone files', (value, quotes) => {
    const message = `must not be in typographic quotes (${quotes}), which would be part of the text`
    expect(typed(value)).toEqual({ issues: [{ path: 'value', message: expect.stringContaining(message) }] })
  })

  it.each([
    ['"\\999"', 'has an invalid escape in its quotes'],
    ['"\\1"', 'has an invalid escape in its quotes'],
    ['"\\255"', 'is not UTF-8 in its quotes'],
    ['"a\\000"', 'must not contain U+0000'],
    ['"" '.repeat(1_001), 'must be at most 1000 texts in quotes'],
    [`"${'ü'.repeat(32_001)}"`, 'must be at most 64000 bytes'],
  ])('%.20s', (value, message) => {
    expect(typed(value)).toEqual({ issues: [{ path: 'value', message: expect.stringContaining(message) }] })
  })

  it('with all that is wrong about the record', () => {
    expect(typed('“a”', { name: 'a b', priority: 1 })).toMatchObject({
      issues: [{ path: 'name' }, { path: 'priority' }, { path: 'value' }],
    })
  })

  it('strings of what is in the quotes, as the value has these then', () => {
    expect(typed('"a" "b"', { strings: ['a', 'b'] })).toEqual({
      issues: [{ path: 'strings', message: expect.stringMatching(/beside them, its quotes are part/) }],
    })
  })
})

it('a response sent again is the same record, whatever its text', () => {
  const unit = fc.constantFrom('"', '“', '”', '\\', ' ', '(', ')', ';', 'ü', '0', 'a', '\n', 'x'.repeat(250))
  const any = fc.string({ unit, maxLength: 12 })
  const inner = fc.oneof(
    any,
    any.map((each) => `"${each}"`),
    any.map((each) => `“${each}”`),
  )
  const parts = fc.array(inner, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(parts, fc.boolean(), (strings, hasStrings) => {
      const value = strings.join('')
      const input: RecordInput = { name: '@', type: 'TXT', value, ...(hasStrings && { strings }) }
      const stored = parseRecord(input, zone)
      if ('issues' in stored) return
      expect(typed(stored.value, { strings: returnedStrings(stored) })).toEqual(stored)
    }),
    { numRuns: 2_000 },
  )
})

it('the longest values are read at once', () => {
  for (const each of ['"', '"a" ', '(', '\\"', '"\\"', ' ;', '“', '" ']) {
    expect(typed(each.repeat(64_000 / each.length))).toBeDefined()
  }
})
