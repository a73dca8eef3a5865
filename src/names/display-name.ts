/** Names that people give, which others read in the middle of a sentence. */
import { z } from 'zod'

/** Control characters, line separators, and what changes the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const printable = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/

/** Of a team or a key: any script and any emoji, in one line. */
export const displayNameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(printable, 'must not contain control characters, nor characters that change the direction of text')
