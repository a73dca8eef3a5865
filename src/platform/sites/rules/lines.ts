/** Parses a rules file by lines, and collects the invalid ones. */
import type { Numbered } from './numbered-rules.ts'

/** The problem of a line: a sentence that says what to do, without its full stop. */
export type Problem = { problem: string }

/** Something in a line that is passed over, or looks wrong, in the same form. */
export type Doubt = { doubt: string }

/** A file's rules, its invalid lines, and those that are passed over or look wrong. */
export type Parsed<T> = {
  rules: Numbered<T>[]
  bad: { line: number; problem: string }[]
  doubtful: { line: number; message: string }[]
}

/** After this many invalid lines parsing stops. */
export const maxBadLines = 50

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controlCharacters = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/

/**
 * Calls `read` with each line that is neither blank nor a comment, trimmed, and its number; it may return a
 * problem or a doubt. Lines of more than `maxCharacters`, and those with control characters, are invalid
 * without a call.
 */
export function readLines(
  text: string,
  maxCharacters: number,
  read: (line: string, number: number) => Problem | Doubt | undefined,
): Omit<Parsed<never>, 'rules'> {
  const bad: Parsed<never>['bad'] = []
  const doubtful: Parsed<never>['doubtful'] = []
  let number = 0
  for (const raw of text.split('\n')) {
    number += 1
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const found = checkLine(line, maxCharacters) ?? read(line, number)
    if (found && 'doubt' in found) doubtful.push({ line: number, message: found.doubt })
    else if (found) bad.push({ line: number, problem: found.problem })
    if (bad.length === maxBadLines) break
  }
  return { bad, doubtful }
}

/** Whether a rule is for another host, or scheme: `https://www.example.com/*`. */
export function isForOtherHost(from: string): boolean {
  return /^[a-z]+:\/\//i.test(from)
}

/** The doubt about such a rule. */
export function passedOver(from: string): Doubt {
  return { doubt: `${quote(from)} is passed over: rules apply to every host of the site; write a path` }
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
