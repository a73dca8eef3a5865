/** Texts with placeholders, and percent-encoding around them. */

import { toNfc } from '../../../lib/names/nfc.ts'
import { type Problem, quote } from './lines.ts'
import type { Part } from './rules.ts'

const names = /:([A-Za-z]\w*)/g

/**
 * Splits a text at its placeholders among `known`; `unknown` is the first other one, which stays literal.
 */
export function parseTemplate(
  text: string,
  known: readonly string[],
): { parts: Part[]; unknown: string | undefined } {
  const parts: Part[] = []
  let unknown: string | undefined
  let end = 0
  for (const match of text.matchAll(names)) {
    const name = match[1] ?? ''
    if (known.includes(name)) {
      parts.push(text.slice(end, match.index), { name })
      end = match.index + match[0].length
    } else unknown ??= match[0]
  }
  parts.push(text.slice(end))
  return { parts: joinParts(parts), unknown }
}

/** The same parts with adjacent texts joined, and no empty ones. */
export function joinParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part === '') continue
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const unsafe = /[\u0000-\u001f\u007f-\u009f\\]/

/**
 * Decodes a part of a path as the server decodes requests, and normalizes it to NFC as deployed paths are.
 */
export function decodeText(text: string): string | Problem {
  let decoded: string
  try {
    decoded = decodeURIComponent(text)
  } catch {
    return { problem: `${quote(text)} is no valid percent-encoding; write %25 for a literal percent sign` }
  }
  if (unsafe.test(decoded))
    return { problem: 'a path has no control characters and no backslashes, encoded or not' }
  return toNfc(decoded)
}

/** The problem with the segments of a decoded path (without its leading slash), if any. */
export function shapeProblem(path: readonly Part[]): string | undefined {
  const shape = `/${path.map((part) => (typeof part === 'string' ? part : 'x')).join('')}`
  if (shape.includes('//')) return 'a path has no empty segments: write / once'
  return /\/\.{1,2}(?:\/|$)/.test(shape) ? 'a path has no . or .. segments' : undefined
}

/** Percent-encodes what isn't valid in a URL, and keeps existing encodings. */
export function encodeText(text: string): string {
  return encodeURI(text).replaceAll('%25', '%')
}
