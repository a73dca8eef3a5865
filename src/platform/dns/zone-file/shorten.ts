import { cut } from '../../../lib/cut.ts'

/** How much of a word a message has, in UTF-16 code units: more than a valid name. */
const maxCharacters = 300

/** A word of a zone file for a message, cut where it is long: a line may be one word. */
export function shorten(word: string): string {
  return cut(word, maxCharacters)
}
