/** Removes secrets from texts of other origin, such as error messages, before they are logged. */

/** Patterns of secrets, and of values after a telling name. Groups are kept. */
const shapes: [pattern: RegExp, kept: string][] = [
  // API keys, complete or not; no identifier of ours with the same prefix is as long.
  [/svc_[0-9A-Za-z]{12,}/g, 'svc_…'],
  // Deploy hooks, whose whole address is a credential.
  [/svch_[0-9A-Za-z]{12,}/g, 'svch_…'],
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  [/eyJ[\w-]+\.[\w-]+\.?[\w-]*/g, 'eyJ…'],
  [/\b(Bearer|Basic)(\s+|%20)[^\s"',]+/gi, '$1$2…'],
  // RFC 3986, section 3.2.1.
  [/(:\/\/[^\s:/@"]*):[^\s/@"]+@/g, '$1:…@'],
  [/\b([\w-]*(?:token|signature|secret|password|bypass|code|state|share)=)[^\s&"']+/gi, '$1…'],
]

/** `text` without secrets. */
export function redactSecrets(text: string): string {
  return shapes.reduce((redacted, [pattern, kept]) => redacted.replace(pattern, kept), text)
}

/** Whether a text from a client could be a misplaced credential. */
export function mayHoldToken(text: string): boolean {
  return /svch?_|whsec_|eyJ/.test(text)
}

/** A path without credentials that were put there by mistake. */
export function redactPath(path: string): string {
  return mayHoldToken(path) ? redactSecrets(path) : path
}
