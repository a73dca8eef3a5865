/** Texts of a bounded length. */

/** The text, or its first `most` UTF-16 code units and an ellipsis. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}\u2026` : text
}
