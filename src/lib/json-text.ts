/** JSON that people wrote, as editors save it. */

const byteOrderMark = '\uFEFF'

/**
 * The value of a JSON text, which may begin with a byte order mark (RFC 8259, 8.1).
 * @throws SyntaxError whose message says what is wrong with it.
 */
export function parseJsonText(text: string): unknown {
  // What UTF-16 becomes where it is decoded as UTF-8.
  if (/^\uFFFD|\0/.test(text)) throw new SyntaxError('the text is not UTF-8')
  return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
}
