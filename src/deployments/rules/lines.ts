/** Parses a rules file by lines, and collects the invalid ones. */

/** The problem of a line: a sentence that says what to do, without its full stop. */
export type Problem = { problem: string }

/** A file's rules, and its invalid lines by number (from 1). */
export type Parsed<T> = { rules: T[]; bad: { line: number; problem: string }[] }

/** After this many invalid lines parsing stops. */
export const maxBadLines = 50

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controlCharacters = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/

/**
 * Calls `read` with each line that is neither blank nor a comment, trimmed, and its number; it may return a problem. Lines of
 * more than `maxCharacters`, and those with control characters, are invalid without a call.
 */
export function readLines(
  text: string,
  maxCharacters: number,
  read: (line: string, number: number) => Problem | undefined,
): { line: number; problem: string }[] {
  const bad: { line: number; problem: string }[] = []
  let number = 0
  for (const raw of text.split('\n')) {
    number += 1
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const found = checkLine(line, maxCharacters) ?? read(line, number)
    if (found) bad.push({ line: number, problem: found.problem })
    if (bad.length === maxBadLines) break
  }
  return bad
}

function checkLine(line: string, maxCharacters: number): Problem | undefined {
  if (line.length > maxCharacters)
    return { problem: `has ${line.length} characters; write at most ${maxCharacters}` }
  return controlCharacters.test(line) ? { problem: 'has a control character; remove it' } : undefined
}

/** Quotes text, cut to fit into a message. */
export function quote(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
