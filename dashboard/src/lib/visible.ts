/** Shows characters that nobody would see; the same rule as the program's own (`src/names/printable.ts`). */

/** Control characters except the tab, line separators, and bidirectional marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** One line, in which these characters are visible ones, such as ␊. */
export function visibleLine(text: string): string {
  return text.replace(controls, visible)
}

/** The same for each line of a text. */
export function visibleLines(text: string): string {
  return text.split(/\r?\n/).map(visibleLine).join('\n')
}

/** The control pictures of Unicode are in the order of ASCII. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
