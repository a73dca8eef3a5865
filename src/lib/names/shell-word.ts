/** Words of commands that people copy. */

/** The text as one word of a POSIX shell, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
