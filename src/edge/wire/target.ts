/**
 * Parses a request target into a path and a query, and refuses ambiguous spellings.
 */

/** `path` is decoded, without its leading slash; `query` is as sent, with its `?`, or empty. */
export type Target = { path: string; query: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const junk = /[\u0000-\u0020\u007f#]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const unsafe = /[\u0000-\u001f\u007f-\u009f\\]|\/\.{1,2}(?:\/|$)/

/** A path without anything to decode; most are. */
const plain = /^(?:\/[\w~-][\w.~-]*)+$/

const encodedOrRaw = /[%\u0080-\u00ff]/

/**
 * Parses an origin-form target (RFC 9112, section 3.2.1). Undefined for any other form, for invalid percent-encoding, for
 * control characters and backslashes, and for `.` and `..` segments in any encoding.
 */
export function parseTarget(target: string): Target | undefined {
  if (plain.test(target)) return { path: target.slice(1), query: '' }
  if (!target.startsWith('/') || junk.test(target)) return undefined
  const mark = target.indexOf('?')
  const path = decode(mark === -1 ? target : target.slice(0, mark))
  if (path === undefined || unsafe.test(path)) return undefined
  return { path: path.slice(1), query: mark === -1 ? '' : target.slice(mark) }
}

function decode(path: string): string | undefined {
  if (!encodedOrRaw.test(path)) return path
  // Some clients send raw UTF-8, which node:http decodes as Latin-1.
  const encoded = path.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/**
 * A decoded path (without its leading slash) as a `Location` on the same host. It begins with exactly one slash, since
 * `//name` would be another host's URL.
 */
export function formatPath(path: string): string {
  return `/${encodePath(path.replace(/^[/\\]+/, ''))}`
}

/** Encodes a path, or a part of one, for a URL; its slashes stay. */
export function encodePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent)
}
