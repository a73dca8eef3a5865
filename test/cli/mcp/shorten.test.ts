/** Long answers are cut until they fit, and say so. */
import { expect, it } from 'vitest'
import { maxCharacters, shortened } from '../../../src/cli/mcp/shorten.ts'

const length = (value: unknown) => JSON.stringify(value).length

it('leaves what fits as it is', () => {
  const value = { data: [{ message: 'x'.repeat(5_000) }], next_cursor: null }
  expect(shortened(value)).toEqual({ value, notes: [] })
})

it('cuts long strings first, and keeps every row', () => {
  const { value, notes } = shortened({
    data: [{ zone: 'x'.repeat(100_000) }, { zone: 'y' }],
    next_cursor: 'c',
  })
  expect(value).toMatchObject({ data: [{ zone: `${'x'.repeat(2_000)}…` }, { zone: 'y' }], next_cursor: 'c' })
  expect(notes.join()).toContain('data[0].zone: the first 2000 of 100000 characters')
})

it('cuts lists of numbers, as metrics are', () => {
  const { value, notes } = shortened({ series: Array.from({ length: 20_000 }, (_, at) => at) })
  expect(length(value)).toBeLessThanOrEqual(maxCharacters)
  expect(notes.join()).toContain('series: the first 50 of 20000 entries')
})

it('has an excerpt of what has too many fields', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field_${at}`, at]))
  const { value, notes } = shortened(wide)
  expect(length(value)).toBeLessThanOrEqual(maxCharacters)
  expect(notes.join()).toContain('first 20000 characters')
})

it('names ten cuts at most', () => {
  const rows = Array.from({ length: 50 }, () => ({ message: 'x'.repeat(3_000) }))
  expect(shortened(rows).notes.join().length).toBeLessThan(2_000)
})
