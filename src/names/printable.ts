/** Takes from a line what a terminal, a browser or the database would act on instead of showing it. */

const esc = '\u001b'

/** CSI (colours, cursor), strings (titles, links), and the rest (ECMA-48, section 5); linear in the length of the line. */
const sequences = new RegExp(
  [
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u009c${esc}]*(?:[\u0007\u009c]|${esc}\\\\)?`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

/** Control characters but the tab, what ends a line elsewhere, and what turns the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A line without escape sequences; other control characters become visible ones, such as ␀. */
export function makeHarmless(line: string): string {
  return line.replace(sequences, '').replace(controls, visible)
}

/** What a terminal shows of a line whose beginning was written over: the text after its last carriage return. */
export function collapseReturns(line: string): string {
  const text = line.replace(/\r+$/, '')
  return text.slice(text.lastIndexOf('\r') + 1)
}

/** The control pictures of Unicode lie in the order of ASCII. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
