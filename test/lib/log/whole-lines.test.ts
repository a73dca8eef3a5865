import { expect, it } from 'vitest'
import { createWholeLines } from '../../../src/lib/log/whole-lines.ts'

/** What is passed on of a text that arrives in these parts. */
function passedOn(parts: string[]): string[] {
  const passed: string[] = []
  const lines = createWholeLines((text) => passed.push(text))
  for (const part of parts) lines.write(part)
  lines.end()
  return passed
}

it.each([
  [
    ['one\n', 'two\n'],
    ['one\n', 'two\n'],
  ],
  [
    ['one\ntwo\nthr', 'ee\n'],
    ['one\ntwo\n', 'three\n'],
  ],
  [['o', 'n', 'e', '\n'], ['one\n']],
  [['one\n\ntwo'], ['one\n\n', 'two\n']],
  [['', ''], []],
])('%j is passed on as %j', (parts, expected) => {
  expect(passedOn(parts)).toEqual(expected)
})

it('a line that does not end is not kept forever', () => {
  const passed = passedOn(Array(40).fill('x'.repeat(100_000)))
  expect(passed.length).toBeGreaterThan(2)
  expect(passed.join('').replaceAll('\n', '')).toHaveLength(4_000_000)
})
