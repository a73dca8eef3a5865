/**
 * Parses a request target into a path and a query, and refuses ambiguous spellings.
 */

/**
 * `path` is decoded, without its leading slash; `query` is as sent, with its `?`, or empty. `escaped` is the
 * path with `escapedSlash` for a slash that was escaped, where there is one: that separates nothing (RFC
 * 3986, section 2.2).
 */
export type Target = { path: string; query: string; escaped?: string }

/** Stands for a slash that was escaped; no path has the character itself. */
const escapedSlash = '\u0000'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const junk = /[\u0000-\u0020\u007f#]/

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const unsafe = /[\u0000-\u001f\u007f-\u009f\\]|\/\.{1,2}(?:\/|$)/

/** A path without anything to decode; most are. */
const plain = /^(?:\/[\w~-][\w.~-]*)+$/

const anEscapedSlash = /%2f/i

const escapedSlashes = /%2f/gi

const encodedOrRaw = /[%\u0080-\u00ff]/

/**
 * Parses an origin-form target (RFC 9112, section 3.2.1). Undefined for any other form, for invalid
 * percent-encoding, for control characters and backslashes, and for `.` and `..` segments in any encoding.
 */
export function parseTarget(target: string): Target | undefined {
  if (plain.test(target)) return { path: target.slice(1), query: '' }
  if (!target.startsWith('/') || junk.test(target)) return undefined
  const mark = target.indexOf('?')
  const sent = mark === -1 ? target : target.slice(0, mark)
  const path = decode(sent)
  if (path === undefined || unsafe.test(path)) return undefined
  const query = mark === -1 ? '' : target.slice(mark)
  const escaped = anEscapedSlash.test(sent) ? decode(sent.replaceAll(escapedSlashes, '%00')) : undefined
  return { path: path.slice(1), query, ...(escaped !== undefined && { escaped: escaped.slice(1) }) }
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
 * A decoded path (without its leading slash) as a `Location` on the same host. It begins with exactly one
 * slash, since `//name` would be another host's URL.
 */
export function formatPath(path: string): string {
  return `/${encodePath(path.replace(/^[/\\]+/, ''))}`
}

/** The path of a target as a `Location` on the same or another host. */
export function formatTarget({ path, escaped = path }: Omit<Target, 'query'>): string {
  return formatPath(escaped)
}

/** Encodes a path, or a part of one, for a URL; its slashes stay, and so do those that were escaped. */
export function encodePath(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent).replaceAll('%00', '%2F')
}

/** Encodes a value that is a part of a query or a fragment. */
export function encodeValue(value: string): string {
  return encodeURIComponent(withSlashes(value))
}

/** The decoded form of a path in which slashes that were escaped have their sign. */
export function withSlashes(path: string): string {
  return path.replaceAll(escapedSlash, '/')
}
