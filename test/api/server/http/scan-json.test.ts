/** Counts before JSON is parsed, compared with what the parser returns. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanJson } from '../../../../src/api/server/http/scan-json.ts'
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { AppError } from '../../../../src/lib/errors.ts'

const maxItems = 100
const maxValues = 500

/** The position and kind of the first excess; undefined if there is none. */
function refusalOf(text: string): [string | undefined, string] | undefined {
  try {
    atOnce(scanJson(Buffer.from(text), maxItems))
  } catch (error) {
    if (error instanceof AppError) return [error.issues?.[0]?.path, error.message]
    throw error
  }
  return undefined
}

const list = (count: number, item = '0') => `[${Array.from({ length: count }, () => item).join(' , ')}]`
const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}": "v"`).join(',')}}`
const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)
const large = (text: string, ofIt = 1_000) => `"${text.repeat(ofIt)}"`

describe('lists, objects and levels at their limits are accepted', () => {
  it.each([
    ['items', list(100)],
    ['fields', object(120)],
    ['fields of small objects', list(54, object(8))],
    ['levels', nested(33)],
    ['lists beside each other', `[${nested(32)},${nested(32)}]`],
    ['values in all', list(4, list(100))],
    ['commas and brackets in a string', `["${',[{'.repeat(1_000)}"]`],
    ['commas in a key', `{"${','.repeat(1_000)}":0}`],
    ['escaped quotes', list(3, large('\\",[', 300))],
    ['escaped backslashes before the end', list(3, large('\\\\', 500))],
    ['nothing', ''],
    ['unmatched closing brackets', ']]}}'],
    ['an unterminated string', '{"a":"b'],
    ['a backslash at the end', '{"a":"b\\'],
  ])('%s', (_what, text) => expect(refusalOf(text)).toBeUndefined())
})

describe('one more is refused at its position', () => {
  it.each([
    ['items', `{"a":{"b":[0,${list(101)}]}}`, 'a.b.1', 'at most 100 items'],
    ['items of any kind', `{"a":${list(101, '{"b":[]}')}}`, 'a', 'at most 100 items'],
    ['strings', `{"a":${list(101, '"\\\\"')}}`, 'a', 'at most 100 items'],
    ['items after a long text', `{"a":${large('\\"')},"b":${list(101)}}`, 'b', 'at most 100 items'],
    ['levels', `{"a":${nested(33)}}`, 'a.0', 'more than 32 levels'],
    ['levels of objects', nested(34, '{"a":', '}'), 'a.a', 'more than 32 levels'],
    ['values in all', list(5, list(100)), '', `fewer items and fields in all than ${maxValues}`],
    ['fields of large objects', list(20, object(16)), '', `in all than ${maxValues}`],
    ['brackets alone', list(100, '[[[[[[]]]]]]'), '', `fewer items and fields in all than ${maxValues}`],
    ['a key that is long', `{${large('k')}:${list(101)}}`, 'k'.repeat(99), 'at most 100 items'],
  ])('%s', (_what, text, place, message) => {
    const [path, refusalMessage] = refusalOf(text) ?? []
    expect(path?.slice(0, 1_000)).toMatch(place === '' ? /^$/ : place)
    expect(refusalMessage).toContain(message)
  })

  it('fields', () => {
    const scan = () => atOnce(scanJson(Buffer.from(`{"a":${object(1_001)}}`), 10_000))
    expect(scan).toThrow('a: must have at most 1000 fields')
    expect(() => atOnce(scanJson(Buffer.from(object(1_000)), 10_000))).not.toThrow()
  })
})

it('counts the same as the parser in any JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 2 }), (text, indent) => {
      const value: unknown = JSON.parse(text)
      const spaced = JSON.stringify(value, undefined, indent)
      expect(refusalOf(spaced) !== undefined).toBe(longest(value) > maxItems)
    }),
  )
  const lists = fc.array(fc.oneof(fc.json(), fc.string()), { minLength: 98, maxLength: 103 })
  fc.assert(
    fc.property(lists, (items) => {
      expect(refusalOf(JSON.stringify({ items }))?.[0]).toBe(items.length > maxItems ? 'items' : undefined)
    }),
  )
})

function longest(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? value.length : 0
  return Math.max(own, ...Object.values(value).map(longest))
}

it('yields every 64 KiB', () => {
  const text = Buffer.from(list(20_000, '"0123456789"'))
  const turns = [...scanJson(text, 30_000)]
  expect(turns.length).toBe(Math.floor(text.length / 65_536))
})
