/** Redacts the values of a project's environment in the output of its builds. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toPrintable } from '../../lib/names/printable.ts'
import { createWordFinder, type Span } from './find-words.ts'

/**
 * `redact` replaces the secrets in a text; `longest` is the length of the longest secret, in UTF-16 units.
 */
export type Redactor = { redact: (text: string) => string; longest: number }

/** Shorter ones would match by chance. */
const minLength = 4

/** These values reveal nothing, and redacting them would make logs hard to read. */
const notSecret = new Set(['true', 'false', 'null', 'none', 'development', 'preview', 'production'])

const replacement = '[redacted]'

/**
 * The most that is searched for, in UTF-16 units. The kernel limits the environment of a command to less, so
 * that the values themselves always fit; only encodings of large ones may not.
 */
const maxUnits = 2 * 1024 * 1024

/**
 * Finds the values verbatim, and encoded in JSON, URLs and base64; each line of multi-line values. Texts must
 * be printable already, since escape sequences could split a secret. If not everything can be searched for,
 * the longest encodings are left out; undefined if these are values themselves.
 */
export async function createRedactor(values: Iterable<string>): Promise<Redactor | undefined> {
  const plain = new Set<string>()
  const encoded = new Set<string>()
  for (const value of values) {
    const trimmed = value.trim()
    if (trimmed.length < minLength) continue
    await nextTurn()
    for (const line of trimmed.split(/[\r\n]+/)) addSecret(plain, line.trim())
    for (const form of encodedForms(trimmed)) addSecret(encoded, form)
  }
  const shortFirst = [...encoded].sort((a, b) => a.length - b.length)
  const secrets = [...plain]
  let left = secrets.reduce((rest, { length }) => rest - length, maxUnits)
  if (left < 0) return undefined
  for (const form of shortFirst) {
    left -= form.length
    if (left < 0) break
    if (!plain.has(form)) secrets.push(form)
  }
  const { find, longest } = await createWordFinder(secrets)
  return { redact: (text) => replaceSpans(text, find(text)), longest }
}

function addSecret(secrets: Set<string>, form: string): void {
  const printed = toPrintable(form)
  if (printed.length >= minLength && !notSecret.has(printed.toLowerCase())) secrets.add(printed)
}

function encodedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  // Without the last characters, which depend on what follows.
  const base64 = Buffer.from(value).toString('base64').replace(/.?=+$/, '')
  return [json, encodeURIComponent(value.toWellFormed()), base64]
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
