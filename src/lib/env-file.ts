/**
 * Reads the text of a `.env` file as dotenv does, for the node, the command and the dashboard. Text that
 * dotenv would guess at is refused, so that no variable becomes a part of the one before.
 */

/** `line` is where the assignment begins, counted from 1. */
export type Assignment = { key: string; value: string; line: number }

/** Text that can't be meant so; the message names the line, never a value, and follows a file's name. */
export class EnvFileError extends Error {
  override name = 'EnvFileError'
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)\s*(.*)$/
const behindValue = /^\s*(?:#.*)?$/
const quotes = new Set(['"', "'", '`'])

/**
 * The assignments in their order: `KEY=value`, `KEY: value` or `export KEY="several\nlines"`. Of several with
 * one key, the last is meant.
 * @throws EnvFileError for a line that is neither an assignment nor a comment, and for a quote that stays
 * open.
 */
export function parseEnvFile(text: string): Assignment[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const found: Assignment[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (behindValue.test(line)) continue
    const [, key, first = ''] = assignment.exec(line) ?? []
    if (key === undefined) throw notAssignment(at)
    const { value, last } = readValue(lines, at, first)
    found.push({ key, value, line: at + 1 })
    at = last
  }
  return found
}

/** The value whose text on the line `at` is `first`, and the last line that it takes. */
function readValue(lines: string[], at: number, first: string): { value: string; last: number } {
  const [quote = ''] = first
  if (!quotes.has(quote)) return { value: withoutComment(first), last: at }
  const end = endOfQuote(first, quote, 1)
  if (end !== -1) {
    const isWhole = behindValue.test(first.slice(end + 1))
    return { value: isWhole ? expanded(first.slice(1, end), quote) : mixed(first, quote, at), last: at }
  }
  const parts = [first.slice(1)]
  for (let last = at + 1; last < lines.length; last += 1) {
    const line = lines[last] ?? ''
    const closing = endOfQuote(line, quote, 0)
    parts.push(closing === -1 ? line : line.slice(0, closing))
    if (closing === -1) continue
    const opensAnother = assignment.exec(line)?.[2]?.length === line.length - closing
    if (opensAnother || !behindValue.test(line.slice(closing + 1))) break
    return { value: expanded(parts.join('\n'), quote), last }
  }
  throw stayingOpen(at, quote)
}

/** A value such as `"a", "b"`: its quotes are a part of it, but for one pair around all of it. */
function mixed(text: string, quote: string, at: number): string {
  const value = withoutComment(text)
  if (value.length > 1 && value.endsWith(quote)) return expanded(value.slice(1, -1), quote)
  if ((value.split(quote).length - 1) % 2 === 1) throw stayingOpen(at, quote)
  return expanded(value, quote)
}

function notAssignment(at: number): EnvFileError {
  return new EnvFileError(
    `line ${at + 1}: expected KEY=value or a comment. Put a value of several lines in quotes.`,
  )
}

function stayingOpen(at: number, quote: string): EnvFileError {
  return new EnvFileError(`line ${at + 1}: the value begins with ${quote}, and does not end with it.`)
}

function withoutComment(text: string): string {
  return text.replace(/#.*$/, '').trim()
}

/** Where the next quote is that no backslash escapes; -1 if there is none. */
function endOfQuote(text: string, quote: string, from: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\' || at === from) return at
  }
  return -1
}

function expanded(text: string, quote: string): string {
  return quote === '"' ? text.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : text
}
