/** Takes secrets out of texts that others have put together, such as messages of errors, before a log has them. */

/** What is a secret wherever it stands, and what follows a name that says so. What comes in brackets stays. */
const shapes: [pattern: RegExp, kept: string][] = [
  // API keys, whole or not; the short names of our own that begin alike have no such long run.
  [/svc_[0-9A-Za-z]{12,}/g, 'svc_…'],
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  [/eyJ[\w-]+\.[\w-]+\.?[\w-]*/g, 'eyJ…'],
  [/\b(Bearer|Basic)(\s+|%20)[^\s"',]+/gi, '$1$2…'],
  // RFC 3986, section 3.2.1.
  [/(:\/\/[^\s:/@"]*):[^\s/@"]+@/g, '$1:…@'],
  [/\b([\w-]*(?:token|signature|secret|password|bypass|code|state)=)[^\s&"']+/gi, '$1…'],
]

/** `text` without what has the shape of a secret. */
export function redactSecrets(text: string): string {
  return shapes.reduce((redacted, [pattern, kept]) => redacted.replace(pattern, kept), text)
}

/** Whether a text from a client could be a credential that is at the wrong place. */
export function mayHoldToken(text: string): boolean {
  return /svc_|whsec_|eyJ/.test(text)
}

/** A path without what somebody put into it who took it for the place of a credential. */
export function redactPath(path: string): string {
  return mayHoldToken(path) ? redactSecrets(path) : path
}
