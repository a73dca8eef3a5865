/** How much of a name a message has. */
const maxCharacters = 300

/**
 * A name in quotes for a message. Characters that can't be told apart, such as the combining ones of NFD, are
 * escaped.
 */
export function spelledOut(name: string): string {
  const shown = name.length > maxCharacters ? `${name.slice(0, maxCharacters)}\u2026` : name
  return JSON.stringify(shown).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, escaped)
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
