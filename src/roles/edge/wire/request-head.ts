/** Extracts, in one pass over the raw headers, the few that decide the response. */

/** Requests with more headers are refused. */
export const maxHeaderFields = 200

const fields = {
  host: 'host',
  ':authority': 'host',
  authorization: 'authorization',
  cookie: 'cookie',
  range: 'range',
  'if-range': 'ifRange',
  'if-match': 'ifMatch',
  'if-none-match': 'ifNoneMatch',
  'accept-encoding': 'acceptEncoding',
  'x-svc-bypass': 'bypass',
  'x-forwarded-for': 'forwardedFor',
  'transfer-encoding': 'transferEncoding',
} as const

type Field = (typeof fields)[keyof typeof fields]

/** Header values as sent; repeated ones are one list (RFC 9110, section 5.3). */
export type RequestHead = { [F in Field]: string | undefined }

const fieldOf = new Map<string, Field>(Object.entries(fields))

/** Node's parser takes others for HTTP, too. */
const versions = new Set(['1.0', '1.1'])

/** Repeated, it would be ambiguous which one counts, here and in proxies. */
const single = new Set<Field>(['host', 'authorization'])

/**
 * Parses `rawHeaders` (alternating names and values, as in node:http), or returns the status to refuse them
 * with: 431 for too many (RFC 6585, section 5), 400 for two hosts (RFC 9112, section 3.2), two identities, or
 * an ambiguous body length (sections 6.1 and 6.3), such as chunks before HTTP/1.1, and another version.
 */
export function readHead(rawHeaders: readonly string[], httpVersion = '1.1'): RequestHead | 400 | 431 {
  if (rawHeaders.length > 2 * maxHeaderFields) return 431
  const isHttp2 = rawHeaders[0]?.startsWith(':') === true
  if (!isHttp2 && !versions.has(httpVersion)) return 400
  const head: RequestHead = {
    host: undefined,
    authorization: undefined,
    cookie: undefined,
    range: undefined,
    ifRange: undefined,
    ifMatch: undefined,
    ifNoneMatch: undefined,
    acceptEncoding: undefined,
    bypass: undefined,
    forwardedFor: undefined,
    transferEncoding: undefined,
  }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = fieldOf.get(rawHeaders[index]?.toLowerCase() ?? '')
    if (field === undefined) continue
    const value = rawHeaders[index + 1] ?? ''
    const before = head[field]
    // Over HTTP/2, a Host beside the authority has to be the same (RFC 9113, section 8.3.1).
    if (before === value && field === 'host' && isHttp2) continue
    if (before !== undefined && single.has(field)) return 400
    head[field] = before === undefined ? value : `${before}${field === 'cookie' ? '; ' : ', '}${value}`
  }
  const { transferEncoding } = head
  if (transferEncoding === undefined) return head
  return transferEncoding.toLowerCase() === 'chunked' && httpVersion === '1.1' ? head : 400
}
