/** Names that people chose, in the text of a mail to somebody else. */
import { toPrintable } from '../../lib/names/printable.ts'

const maxLength = 100

/** Mail programs make links of addresses, and of names with a dot in them. */
const likeLink = /:\/|@|www|[^\s.]\.[^\s.]/i

/**
 * The name as one line of at most 100 characters; `otherwise` for one that could become a link, with which
 * somebody would have us send advertising.
 */
export function nameInText(name: string, otherwise: string): string {
  const line = toPrintable(name.replaceAll(/\s+/gu, ' '))
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
  return line === '' || likeLink.test(line) ? otherwise : [...line].slice(0, maxLength).join('')
}
