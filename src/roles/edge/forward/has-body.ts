/** The body of a request: whether there is one, and how it is delimited. */
import type { IncomingMessage } from 'node:http'

/** Whether a request has a body; over HTTP/2 one of unknown length is declared as in chunks. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return encoding !== undefined || Number(length) > 0
}

/** How the body is delimited; one that has none says so where the method suggests one. */
export function bodyOf(req: IncomingMessage) {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  const isChunked = length === undefined && encoding !== undefined
  const isNone = !hasBody(req) && !withoutBody.has(req.method ?? '')
  return { length: length ?? (isNone && !isChunked ? '0' : undefined), isChunked }
}

/** Methods whose requests have no body, unless they say otherwise. */
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE'])

/** Whether a request may be sent again after it may have been read: nothing comes of reading twice. */
export function isRepeatable(req: IncomingMessage): boolean {
  return (req.method === 'GET' || req.method === 'HEAD') && !hasBody(req)
}
