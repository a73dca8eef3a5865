import { expect, it } from 'vitest'
import { collapseReturns, toPrintable } from '../../../src/lib/names/printable.ts'

it.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['colours with eight bits', '\u009b31mred', 'red'],
  ['movements', 'a\u001b[2K\u001b[1Gb\u001b[?25l', 'ab'],
  ['titles', '\u001b]0;title\u0007text', 'text'],
  ['links', '\u001b]8;;https://x.example\u001b\\name\u001b]8;;\u001b\\', 'name'],
  ['unterminated strings', 'a\u001b]52;c;ZXZpbA==', 'a'],
  ['resets', 'a\u001bcb\u001b(B', 'ab'],
  ['NUL, bell, backspace, delete', 'a\u0000\u0007\u0008\u007f', 'a␀␇␈␡'],
  ['a lone escape', 'a\u001b', 'a␛'],
  ['the other control characters', '\u0085\u2028\u202e', '\ufffd\ufffd\ufffd'],
  ['tabs', 'a\tb', 'a\tb'],
  ['letters of all kinds', 'grüße 你好 🚀', 'grüße 你好 🚀'],
])('removes only what is harmful from %s', (_what, line, expected) => {
  expect(toPrintable(line)).toBe(expected)
})

it('takes linear time on endless sequences', () => {
  for (const part of ['\u001b[', '\u001b]', '\u001b[0;', '\u001b']) {
    expect(toPrintable(part.repeat(100_000))).not.toContain('\u001b')
  }
})

it.each([
  ['10%\r20%\r30%', '30%'],
  ['done\r', 'done'],
  ['\r\r', ''],
  ['plain', 'plain'],
])('of %j a terminal shows the end', (line, expected) => {
  expect(collapseReturns(line)).toBe(expected)
})
