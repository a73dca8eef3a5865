/** Which parts of a file a `Range` field requests. */
import { describe, expect, it } from 'vitest'
import { maxParts, parseRanges } from '../../../../src/roles/edge/wire/parse-ranges.ts'

const nines = '9'.repeat(400)

describe('one range of a file of 100 bytes', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-100', { start: 0, end: 99 }],
    ['bytes=-101', { start: 0, end: 99 }],
    ['bytes=50-100', { start: 50, end: 99 }],
    [`bytes=50-${nines}`, { start: 50, end: 99 }],
    [`bytes=-${nines}`, { start: 0, end: 99 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes= 1-2\t', { start: 1, end: 2 }],
    ['bytes=,1-2, ,', { start: 1, end: 2 }],
    ['bytes=007-008', { start: 7, end: 8 }],
    ['bytes=100-200, 1-2', { start: 1, end: 2 }],
  ])('%s', (field, range) => {
    expect(parseRanges(field, 100)).toEqual([range])
  })
})

describe('a range that no file of 100 bytes can satisfy', () => {
  it.each([
    'bytes=100-',
    'bytes=100-100',
    'bytes=-0',
    `bytes=${nines}-`,
    `bytes=${nines}-${nines}`,
    'bytes=-0,200-',
  ])('%s', (field) => expect(parseRanges(field, 100)).toEqual([]))
})

describe('a field that is ignored', () => {
  it.each([
    '',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=a-b',
    'bytes=1-b',
    'bytes=1',
    'bytes=2-1',
    'bytes=1-2,5-4',
    'bytes=1-2,x',
    'bytes=--1',
    'bytes=+1-2',
    'bytes=1.5-2',
    'bytes=0x1-2',
    'bytes=1-2-3',
    'bytes=1 -2',
    'bytes 1-2',
    'bytes =1-2',
    'items=1-2',
    'bytes=1-2, bytes=3-4',
  ])('%j', (field) => expect(parseRanges(field, 100)).toBeUndefined())

  it('any range of an empty file', () => {
    expect(parseRanges('bytes=0-', 0)).toBeUndefined()
    expect(parseRanges('bytes=-1', 0)).toBeUndefined()
  })
})

describe('several ranges', () => {
  it('keep the order of the request', () => {
    const ranges = [
      { start: 50, end: 59 },
      { start: 0, end: 9 },
      { start: 99, end: 99 },
    ]
    expect(parseRanges('bytes=50-59,0-9,-1', 100)).toEqual(ranges)
  })

  it('are merged if they overlap or touch', () => {
    const ranges = [
      { start: 50, end: 69 },
      { start: 0, end: 20 },
    ]
    expect(parseRanges('bytes=50-59,0-9,60-69,5-20', 100)).toEqual(ranges)
    expect(parseRanges('bytes=10-20,0-99,30-40', 100)).toEqual([{ start: 0, end: 99 }])
  })

  it('are ignored beyond the maximum number of parts, counted after merging', () => {
    const apart = (count: number) => `bytes=${Array.from({ length: count }, (_, i) => `${i * 2}-${i * 2}`)}`
    expect(parseRanges(apart(maxParts), 100)).toHaveLength(maxParts)
    expect(parseRanges(apart(maxParts + 1), 100)).toBeUndefined()
    expect(parseRanges(`bytes=${Array.from({ length: 1_000 }, () => '0-9')}`, 100)).toEqual([
      { start: 0, end: 9 },
    ])
  })
})
