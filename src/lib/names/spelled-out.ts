/** Names in messages. */
import { cut } from '../cut.ts'

/** How much of a name a message has, in UTF-16 code units. */
const maxCharacters = 100

/**
 * A name in quotes for a message, cut where it is long. Characters that can't be told apart, such as the
 * combining ones of NFD, are escaped.
 */
export function spelledOut(name: string): string {
  return JSON.stringify(cut(name, maxCharacters)).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, escaped)
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
