/** Gathers, in one pass over a request's raw headers, the few fields that decide its answer. */

/** More fields than this are refused rather than read. */
export const maxHeaderFields = 200

const fields = {
  host: 'host',
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

/** Field values as they were sent; a field that came more than once is one list (RFC 9110, section 5.3). */
export type RequestHead = { [F in Field]: string | undefined }

const fieldOf = new Map<string, Field>(Object.entries(fields))

/** Two of these would leave it to chance which one counts, here and in what stands in front of us. */
const single = new Set<Field>(['host', 'authorization'])

/**
 * Reads `rawHeaders` (names and values by turns, as node:http gives them), or returns the status to refuse
 * them with: 431 for too many (RFC 6585, section 5), 400 for two hosts (RFC 9112, section 3.2), two
 * identities, or a body whose end can't be found (section 6.3).
 */
export function readHead(rawHeaders: readonly string[]): RequestHead | 400 | 431 {
  if (rawHeaders.length > 2 * maxHeaderFields) return 431
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
    if (before !== undefined && single.has(field)) return 400
    head[field] = before === undefined ? value : `${before}${field === 'cookie' ? '; ' : ', '}${value}`
  }
  const { transferEncoding } = head
  return transferEncoding === undefined || transferEncoding.toLowerCase() === 'chunked' ? head : 400
}
