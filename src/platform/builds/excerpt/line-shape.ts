/** How far a line is indented, in UTF-16 units. */
export function indentOf(text: string): number {
  return text.length - text.trimStart().length
}

/** Whether a line has a letter or a digit, and isn't a rule or a bracket alone. */
export function hasWords(text: string): boolean {
  return /[\p{L}\d]/u.test(text)
}
