/** TXT: any text (RFC 1035, section 3.3.14), served as strings of 255 bytes. */
import type { TypeRule } from './rule.ts'

/** Fits in a message of 65,535 bytes with a length byte per string, the question and the rest. */
const maxBytes = 64_000

export const txt: TypeRule = {
  numbers: [],
  readValue(text) {
    if (text === '') return { problem: 'must not be empty' }
    if (Buffer.byteLength(text) > maxBytes) return { problem: `must be at most ${maxBytes} bytes of UTF-8` }
    return text
  },
}
