/** Removes secrets from texts of other origin, such as error messages, before they are logged. */

/** Patterns of secrets, and of values after a telling name. Groups are kept. */
const shapes: [pattern: RegExp, kept: string][] = [
  // API keys, complete or not; no identifier of ours with the same prefix is as long.
  [/svc_[0-9A-Za-z]{12,}/g, 'svc_…'],
  // Deploy hooks, whose whole address is a credential.
  [/svch_[0-9A-Za-z]{12,}/g, 'svch_…'],
  [/whsec_[\w+/=%-]+/g, 'whsec_…'],
  [/eyJ[\w-]+\.[\w-]+\.?[\w-]*/g, 'eyJ…'],
  [/\b(Bearer|Basic)(\s+|%20)[^\s"',]+/gi, '$1$2…'],
  // RFC 3986, section 3.2.1.
  [/(:\/\/[^\s:/@"]*):[^\s/@"]+@/g, '$1:…@'],
  [/\b([\w-]*(?:token|signature|secret|password|bypass|code|state|share)=)[^\s&"']+/gi, '$1…'],
]

/** `text` without secrets, also where a client has percent-encoded them, once or more often. */
export function redactSecrets(text: string): string {
  if (!text.includes('%')) return redactPlain(text)
  return redactPlain(text.replaceAll(/\S+/g, (word) => (word.includes('%') ? redactEncoded(word) : word)))
}

function redactPlain(text: string): string {
  return shapes.reduce((redacted, [pattern, kept]) => redacted.replace(pattern, kept), text)
}

/** It stays as it was sent where there is nothing to hide. */
function redactEncoded(word: string): string {
  const decoded = decode(word)
  if (decoded === undefined) return word.replace(/%.*/, '…')
  const redacted = redactPlain(decoded)
  return redacted === decoded ? word : redacted
}

/** Percent-encoded characters (RFC 3986, section 2.1), whose percent signs may be encoded, too. */
const encoded = /%(?:25)*([2-7][0-9a-f])/gi

/** The characters of secrets, and of names before them: others may separate them from what follows. */
const ofSecrets = /[\w.=+-]/

/** Encoded in more layers than any program does it. */
const maxLayers = 8

/** The word in plain, but for what separates; undefined where that takes too many layers. */
function decode(word: string): string | undefined {
  let decoded = word
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const before = decoded
    decoded = before.replaceAll(encoded, (_, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return ofSecrets.test(character) ? character : `%${hex}`
    })
    if (decoded === before) return decoded
  }
  return undefined
}

/** Whether a text from a client could be a misplaced credential. */
export function mayHoldToken(text: string): boolean {
  return /svch?_|whsec_|eyJ/.test(text)
}

/** A path without credentials that were put there by mistake. */
export function redactPath(path: string): string {
  return /[%=]/.test(path) || mayHoldToken(path) ? redactSecrets(path) : path
}
