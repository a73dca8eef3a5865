/** Takes the values of a project's environment out of what its builds print. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeHarmless } from '../names/printable.ts'
import { createWordFinder, type Span } from './find-words.ts'

/** `redact` replaces the secrets in a text; `longest` is the length of the longest that it looks for, in UTF-16 units. */
export type Redactor = { redact: (text: string) => string; longest: number }

/** Shorter ones would be found by chance, and say next to nothing. */
const minLength = 4

/** Where a value is one of these, nobody learns anything from it, and logs without them would be hard to read. */
const notSecret = new Set(['true', 'false', 'null', 'none', 'development', 'preview', 'production'])

const replacement = '[redacted]'

/**
 * What is sought at most, in UTF-16 units. The kernel gives no command as many bytes in its environment, so that the values
 * themselves always fit; what doesn't are forms of large ones.
 */
const maxUnits = 2 * 1024 * 1024

/**
 * Finds the values as they are, as they stand in JSON and in addresses, and in base64; each line of those that have several.
 * The texts are to be harmless already, as escape sequences could lie in the middle of a secret. Where the values are so large
 * that not all can be sought, the longest forms are left out; undefined where these are values themselves.
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
  const printed = makeHarmless(form)
  if (printed.length >= minLength && !notSecret.has(printed.toLowerCase())) secrets.add(printed)
}

function encodedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  // Without its end, which depends on what follows.
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
