/** Normalization form C (UAX #15), in a time that grows with the length of the text. */

/**
 * Longer runs of combining marks are in no language (UAX #15, section 13, Stream-Safe Text Format), and the
 * time that normalizing one takes grows with the square of its length.
 */
const endless = /\p{M}{31}/u
const maxMarks = 30

/** Whether a character of the text has more than 30 combining marks. */
export function hasEndlessMarks(text: string): boolean {
  return text.length > maxMarks && endless.test(text)
}

/** The text in normalization form C; as it is where a character has more than 30 combining marks. */
export function toNfc(text: string): string {
  return hasEndlessMarks(text) ? text : text.normalize('NFC')
}
