/** Special-use names, which have no owner on the internet. */
import { isAtOrBelow } from './domain-name.ts'

/** RFC 6761 (localhost, invalid), 6762, 7686, 8375, 9476, and ICANN's resolution on .internal. */
const locals = ['localhost', 'invalid', 'local', 'onion', 'home.arpa', 'alt', 'internal']

/** Whether a name in lower case, without a trailing dot, can't have an owner. */
export function isLocalName(name: string): boolean {
  return locals.some((local) => isAtOrBelow(name, local))
}
