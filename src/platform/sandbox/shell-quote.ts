/** Text in shell scripts. */

/** `text` as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
