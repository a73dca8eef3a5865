/** Takes the values of a project's environment out of what its builds print. */
import { makeHarmless } from '../harmless.ts'

/** `redact` replaces the secrets in a text; `longest` is the length of the longest that it looks for, in UTF-16 units. */
export type Redactor = { redact: (text: string) => string; longest: number }

/** Shorter ones would be found by chance, and say next to nothing. */
const minLength = 4

/** Where a value is one of these, nobody learns anything from it, and logs without them would be hard to read. */
const notSecret = new Set(['true', 'false', 'null', 'none', 'development', 'preview', 'production'])

const replacement = '[redacted]'

/**
 * Finds the values as they are, as they stand in JSON and in addresses, and in base64; each line of those that have several.
 * The texts are to be harmless already, as escape sequences could lie in the middle of a secret.
 */
export function createRedactor(values: Iterable<string>): Redactor {
  const secrets = new Set<string>()
  for (const value of values) {
    for (const form of formsOf(value)) {
      const printed = makeHarmless(form)
      if (printed.length >= minLength && !notSecret.has(printed.toLowerCase())) secrets.add(printed)
    }
  }
  return {
    redact: (text) => replaceSpans(text, findSpans(text, secrets)),
    longest: Math.max(0, ...[...secrets].map(({ length }) => length)),
  }
}

function formsOf(value: string): string[] {
  const trimmed = value.trim()
  if (trimmed.length < minLength) return []
  const lines = trimmed.split(/[\r\n]+/).map((line) => line.trim())
  const encoded = [JSON.stringify(trimmed).slice(1, -1), encodeURIComponent(trimmed.toWellFormed())]
  // Without its end, which depends on what follows.
  const base64 = Buffer.from(trimmed).toString('base64').replace(/.?=+$/, '')
  return [...lines, ...encoded, base64]
}

type Span = { start: number; end: number }

/** Where the secrets are, in order; those that overlap are one, or the end of the second would be left standing. */
function findSpans(text: string, secrets: Set<string>): Span[] {
  const found: Span[] = []
  for (const secret of secrets) {
    let start = text.indexOf(secret)
    while (start !== -1) {
      const end = start + secret.length
      found.push({ start, end })
      // Of those that begin before this one's end the last reaches farthest.
      const last = text.lastIndexOf(secret, end)
      start = last > start ? last : text.indexOf(secret, end + 1)
    }
  }
  const merged: Span[] = []
  for (const span of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else merged.push(span)
  }
  return merged
}

function replaceSpans(text: string, spans: Span[]): string {
  let result = ''
  let at = 0
  for (const { start, end } of spans) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
