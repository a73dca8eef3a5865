/** Which records conflict in a zone, in whatever order they are added. */
import { describe, expect, it } from 'vitest'
import { findClashes } from '../../../src/platform/dns/clashes.ts'
import { parseRecord } from '../../../src/platform/dns/parse-record.ts'
import type { RecordInput } from '../../../src/platform/dns/record-input.ts'
import type { RecordData } from '../../../src/platform/dns/types/rule.ts'

type Short = [
  type: RecordInput['type'],
  value: string,
  priority?: number | undefined,
  name?: string,
  strings?: string[],
]

function record([type, value, priority, name = 'www', strings = undefined]: Short): RecordData {
  const parsed = parseRecord({ name, type, value, priority, strings }, 'example.com')
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return parsed
}

const messages = (...records: Short[]) => findClashes(records.map(record)).map(({ message }) => message)

const a: Short = ['A', '192.0.2.1']
const aaaa: Short = ['AAAA', '2001:db8::1']
const alias: Short = ['ALIAS', 'a.example.net']
const cname: Short = ['CNAME', 'a.example.net']
const txt: Short = ['TXT', 'text']
const ns: Short = ['NS', 'ns1.example.net']
const mx: Short = ['MX', 'mail.example.com', 10]
const nullMx: Short = ['MX', '.', 0]

describe('at one name', () => {
  it.each<[string, Short, Short]>([
    ['CNAME and A', cname, a],
    ['CNAME and TXT', cname, txt],
    ['CNAME and NS', cname, ns],
    ['CNAME and ALIAS', cname, alias],
    ['CNAME and CNAME', cname, ['CNAME', 'b.example.net']],
    ['ALIAS and A', alias, a],
    ['ALIAS and AAAA', alias, aaaa],
    ['ALIAS and ALIAS', alias, ['ALIAS', 'b.example.net']],
    ['MX to . and another', nullMx, mx],
    ['twice the same A', a, a],
    ['the same A in another spelling', ['AAAA', '2001:DB8::0:1'], aaaa],
    ['twice the same TXT', txt, txt],
    ['twice the same CAA', ['CAA', '0 issue letsencrypt.org'], ['CAA', '0 issue "LetsEncrypt.org;"']],
    ['twice the same MX', mx, mx],
    ['twice the same HTTPS', ['HTTPS', '. port=1 alpn=h2', 1], ['HTTPS', '. alpn="h2" port=01', 1]],
    ['twice the same TLSA', ['TLSA', '3 1 1 AB'], ['TLSA', '3 1 1 ab']],
    ['twice the same LOC', ['LOC', '1 N 1 E 0m'], ['LOC', '1 0 0 N 1 0 0.000 E 0.00m 1m']],
    ['CNAME and HTTPS', cname, ['HTTPS', '.', 1]],
  ])('%s conflict', (_what, one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const [clash, ...more] = findClashes([first, second].map(record))
      expect(clash).toMatchObject({ other: record(first), record: record(second) })
      expect(clash?.message).toMatch(/www\.example\.com has/)
      expect(more).toEqual([])
    }
  })

  it.each<[string, Short[]]>([
    ['A, AAAA, TXT, MX and CAA', [a, aaaa, txt, mx, ['CAA', '0 issue ";"']]],
    ['several of a type', [a, ['A', '192.0.2.2'], txt, ['TXT', 'Text'], ['TXT', 'text ']]],
    ['ALIAS beside HTTPS', [alias, ['HTTPS', '. alpn=h2', 1], ['HTTPS', '. alpn=h2', 2]]],
    ['one text in other strings', [txt, ['TXT', 'text', undefined, 'www', ['te', 'xt']]]],
    ['one MX with two priorities', [mx, ['MX', 'mail.example.com', 20]]],
    ['ALIAS beside TXT and MX', [alias, txt, mx]],
    ['MX to . beside A and TXT', [nullMx, a, txt]],
    ['a delegation above names that it hides', [ns, a, ['A', '192.0.2.1', undefined, 'below.www'], txt]],
  ])('%s coexist', (_what, records) => {
    expect(messages(...records)).toEqual([])
    expect(messages(...records.toReversed())).toEqual([])
  })
})

it('records at other names don’t conflict', () => {
  expect(
    messages(cname, ...['@', 'a.www', '*'].map((name): Short => ['A', '192.0.2.1', undefined, name])),
  ).toEqual([])
})

it('each conflicting record is reported once, and ignored afterwards', () => {
  const others: Short[] = [a, cname, ['CNAME', 'b.example.net'], aaaa, a]
  const found = findClashes(others.map(record))
  expect(found.map(({ record: { type, value } }) => [type, value])).toEqual([
    ['CNAME', 'a.example.net'],
    ['CNAME', 'b.example.net'],
    ['A', '192.0.2.1'],
  ])
})

it('a record set that is larger than a DNS message is refused', () => {
  const many = Array.from({ length: 4_100 }, (_, i): Short => ['A', `10.0.${i >> 8}.${i & 255}`])
  const found = findClashes(many.map(record))
  expect(found).toHaveLength(4_100 - Math.floor(64_500 / 16))
  expect(found[0]?.message).toBe('The A records of www.example.com would not fit in one DNS message.')
  const long = (text: string): Short => ['TXT', text.repeat(30_000)]
  expect(messages(long('a'), long('b'))).toEqual([])
  expect(messages(long('a'), long('b'), long('c'))).toHaveLength(1)
  // With the 118 and 17 length bytes of their strings, and 12 bytes before each.
  const rest = (bytes: number): Short => ['TXT', 'c'.repeat(bytes)]
  expect(messages(long('a'), long('b'), rest(4_211))).toEqual([])
  expect(messages(long('a'), long('b'), rest(4_212))).toHaveLength(1)
})

it('100,000 records of 10,000 names are checked in one pass', () => {
  const records = Array.from({ length: 100_000 }, (_, i) =>
    record(['A', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, undefined, `h${i % 10_000}`]),
  )
  expect(findClashes(records)).toEqual([])
})
