/** Writes an answer that came from elsewhere, over either protocol. */
import type { ClientRequest, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { constants, Http2ServerResponse } from 'node:http2'
import { TLSSocket } from 'node:tls'
import { endToEnd, type Field, keyOf } from './fields.ts'

type Response = ServerResponse | Http2ServerResponse

/** The most answers before the last one that are passed on, of as many as a server likes to send. */
const maxHints = 8

/** Fields with one value; readers of HTTP/1.1 differ in which of several they believe, HTTP/2 has one. */
const ofOneValue = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'age',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'x-content-type-options',
])

/** RFC 9110, section 15. */
const largestStatus = 599

/**
 * Writes the head, in which what is said twice is said once.
 * @throws Error for what can't be carried, or is carried by one of both protocols alone.
 */
export function writeHead(res: Response, status: number, fields: readonly Field[]): void {
  if (status > largestStatus) throw new Error(`The status ${status} is none.`)
  const carried = withoutRepetition(fields)
  if (res instanceof Http2ServerResponse) res.writeHead(status, grouped(carried))
  else res.writeHead(status, carried.flat())
}

/** @throws Error for several values of a field that has one. */
function withoutRepetition(fields: readonly Field[]): Field[] {
  const values = new Map<string, string>()
  return fields.filter(([name, value]) => {
    const key = keyOf(name)
    if (!ofOneValue.has(key)) return true
    const earlier = values.get(key)
    values.set(key, value)
    if (earlier !== undefined && earlier !== value) throw new Error(`There are two values of ${key}.`)
    return earlier === undefined
  })
}

/** HTTP/2 takes the values of a name together. */
function grouped(fields: readonly Field[]): OutgoingHttpHeaders {
  const values = new Map<string, string[]>()
  for (const [name, value] of fields) values.set(keyOf(name), [...(values.get(keyOf(name)) ?? []), value])
  return Object.fromEntries([...values].map(([key, all]) => [key, all.length === 1 ? all[0] : all]))
}

/**
 * Returns a function that passes on the links of early hints (103, RFC 8297), which is all that both
 * protocols carry.
 */
export function createHints(res: Response): (fields: readonly Field[]) => void {
  let count = 0
  return (fields) => {
    const links = fields.flatMap(([name, value]) => (keyOf(name) === 'link' ? [value] : []))
    count += 1
    if (links.length === 0 || count > maxHints || res.headersSent) return
    try {
      res.writeEarlyHints({ link: links })
    } catch {
      // A link that is none; the answer itself is yet to come.
    }
  }
}

/** Adds the fields behind a body, as far as the protocol of whoever gets them carries them. */
export function addTrailers(
  message: Pick<ServerResponse | ClientRequest, 'addTrailers'>,
  rawTrailers: readonly string[],
): void {
  const fields = endToEnd(rawTrailers)
  if (fields.length === 0) return
  try {
    message.addTrailers(Object.fromEntries(fields))
  } catch {
    // The body itself is whole without them.
  }
}

/** Ends an answer that isn't whole, so that no visitor takes it for one that is. */
export function cutAnswer(res: Response): void {
  if (res instanceof Http2ServerResponse) {
    res.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    return
  }
  const { socket } = res
  // Before HTTP/1.1 a body may end with its connection.
  if (res.req.httpVersion === '1.0' && socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  else res.destroy()
}
