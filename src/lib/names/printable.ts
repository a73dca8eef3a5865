/** Removes control sequences from lines, which terminals, browsers or the database would interpret. */

const esc = '\u001b'

/**
 * CSI (colours, cursor), strings (titles, links), and the rest (ECMA-48, section 5); linear in the length of
 * the line.
 */
const sequences = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u009c${esc}]*(?:[\u0007\u009c]|${esc}\\\\)?`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

/** Control characters except the tab, line separators, and bidirectional marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A line without escape sequences; other control characters become visible ones, such as ␀. */
export function toPrintable(line: string): string {
  return line.replace(sequences, '').replace(controls, visible)
}

/** A line after carriage returns: the text after the last one. */
export function collapseReturns(line: string): string {
  const text = line.replace(/(?<!\r)\r+$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** The control pictures of Unicode are in the order of ASCII. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
