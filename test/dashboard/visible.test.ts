/** What is copied from the dashboard is what it shows. */
import { expect, it } from 'vitest'
import { visibleLine, visibleLines } from '../../dashboard/src/lib/visible.ts'
import { toPrintable } from '../../src/lib/names/printable.ts'

it('the dashboard and the command show a character alike', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}`
    // Begin sequences, which the command leaves out of text for terminals.
    if (code === 0x1b || (code >= 0x80 && code <= 0x9f)) expect(visibleLine(text)).not.toContain(text)
    else expect(visibleLine(text), code.toString(16)).toBe(toPrintable(text))
  }
})

it.each([
  ['a line break', 'main\nrm -rf ~', 'main␊rm -rf ~'],
  ['an override of the direction', 'main\u202ecod.exe', 'main\ufffdcod.exe'],
  ['an escape sequence', '\u001b[2J', '␛[2J'],
])('%s is visible in one line', (_, text, visible) => {
  expect(visibleLine(text)).toBe(visible)
})

it('text of several lines keeps them', () => {
  expect(visibleLines('one\r\ntwo\u2066\n\u0007')).toBe('one\ntwo\ufffd\n␇')
})

it.each(['👩‍👩‍👧', 'שלום', 'مرحبا', 'a\tb'])('%s stays as it is', (text) => {
  expect(visibleLine(text)).toBe(text)
})
