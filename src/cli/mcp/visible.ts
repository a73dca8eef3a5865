/** Text for a model, which reads characters that nobody sees. */
import { isRecord } from '../../lib/is-record.ts'
import { hiddenClass } from '../../lib/names/hidden-characters.ts'

const hidden = new RegExp(`(?![\\n\\t])${hiddenClass}`, 'gu')

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
