/** Texts in the quotes of zone files (RFC 1035, section 5.1), as programs print and people copy them. */

const part = /\s+|"([^"\\]*(?:\\.[^"\\]*)*)"|([()])|;[^\n]*/suy

/**
 * The texts of a value that is nothing but texts in quotes, in parentheses with comments too; without the
 * quotes, their escapes unresolved. Undefined for any other value.
 */
export function quotedTexts(value: string): string[] | undefined {
  const texts: string[] = []
  let depth = 0
  let hasParentheses = false
  for (let at = 0; at < value.length; at = part.lastIndex) {
    part.lastIndex = at
    const [found = '', text, parenthesis] = part.exec(value) ?? []
    if (text !== undefined) texts.push(text)
    if (parenthesis !== undefined) depth += parenthesis === '(' ? 1 : -1
    hasParentheses ||= depth > 0
    // Without parentheses it may be a text that has a semicolon after a quote.
    if (found === '' || depth < 0 || (found.startsWith(';') && !hasParentheses)) return undefined
  }
  return depth === 0 && texts.length > 0 ? texts : undefined
}

const straight = '"'
const typographic = '“”„‟«»‹›‘’‚‛'

/** The quotes at both ends of a value, `“ ”`, if at least one of them is typographic. */
export function typographicQuotes(value: string): string | undefined {
  const text = value.trim()
  const ends = [text.slice(0, 1), text.slice(1).slice(-1)]
  const isQuoted = ends.every((end) => end !== '' && (end === straight || typographic.includes(end)))
  return isQuoted && ends.some((end) => end !== straight) ? ends.join(' ') : undefined
}
