/** Text for a model, which reads characters that nobody sees. */
import { isRecord } from '../../lib/is-record.ts'

/**
 * Control and format characters, what Unicode ignores by default (marks of direction, characters without a
 * width, tags, selectors of variants), private ones, separators of lines and paragraphs, halves of pairs.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text with each such character spelled out, such as `\u{202e}`; line feeds and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The same for each string, and each name, in a JSON value. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map(visibleValue)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [visibleText(name), visibleValue(each)]),
  )
}
