/** Names that are nobody's on the internet: what they mean is decided inside of a network, or they mean nothing. */
import { isAtOrBelow } from './domain-name.ts'

/** RFC 6761 (localhost, invalid), 6762, 7686, 8375, 9476, and ICANN's resolution on .internal. */
const locals = ['localhost', 'invalid', 'local', 'onion', 'home.arpa', 'alt', 'internal']

/** Whether a name in lower case, without a dot at its end, can be nobody's own. */
export function isLocalName(name: string): boolean {
  return locals.some((local) => isAtOrBelow(name, local))
}
