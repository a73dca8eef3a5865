/** The lines that say where an error is. */
import { alternatives, anyOf } from './any-of.ts'

/** The number of a line, and what Biome says behind it. */
const position = alternatives([/:\d{1,7}(?::\d{1,7})?/, /\(\d{1,7},\d{1,7}\)/])
const rule = alternatives([/:/, / (?:lint\/|format|parse|check).{0,300}/])

/** The path of a file, a frame of Python, and the package of npm's error. */
const place = anyOf([
  new RegExp(`^(?:file:\\/\\/)?[^\\s:]{1,300}\\.[a-z]\\w{0,9}${position}?${rule}?$`),
  /^File ".{1,300}", line \d{1,7}\b/,
  /^npm (?:error|ERR!) path \S/,
])

/**
 * Whether a line is nothing but a place.
 * @param bare the line without its decoration.
 */
export function isPlace(bare: string): boolean {
  return place.test(bare)
}

/** Whether a place says which line of the file it is. */
export function isNumbered(bare: string): boolean {
  return /:\d{1,7}(?::?$| (?:lint\/|parse))|\(\d{1,7},\d{1,7}\):?$|, line \d/.test(bare)
}

/** Whether a line about an error says itself where it is. */
export function namesPlace(text: string): boolean {
  return /\.[a-z]\w{0,9}(?::\d| ?\(\d|", line \d)/i.test(text)
}

const foreign = anyOf([
  /node_modules\/|site-packages\/|\/lib\/python|\/gems\/|\/usr\/lib\//,
  /\bnode:|\(native\)|: 0x|<anonymous>|<frozen /,
])

/** Whether a place is in code that isn't the project's own. */
export function isForeign(text: string): boolean {
  return foreign.test(text)
}
