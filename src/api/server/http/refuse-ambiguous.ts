/** Refuses ambiguous requests that Node's parser accepts. */
import { type IncomingMessage, METHODS, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { AppError } from '../../../lib/errors.ts'
import { errorBody, statusOf } from '../../trpc/error-body.ts'
import { hangUp } from './linger.ts'
import { requestIdOf } from './request-id.ts'

/** Names, values and separators. */
export const maxHeaderBytes = 16 * 1024

/** More than any client needs; Node would silently drop headers over its own limit. */
const maxHeaders = 200

/** Method, scheme, authority and path, which are headers in HTTP/2. */
const pseudoHeaders = 4

/** Headers that must not repeat, since a second one could mean another identity, length or host. */
const single = new Set([
  'host',
  'authorization',
  'content-length',
  'content-type',
  'x-request-id',
  'idempotency-key',
  'x-svc-team',
])

const headersTooLarge = 'The headers are too large.'

type Refusal = { status: number; error: AppError }

/** Why this request is refused (RFC 9112, sections 3.2 and 6.1; RFC 9113, section 8.3.1), or undefined. */
export function wireProblem(request: IncomingMessage | Http2ServerRequest): Refusal | undefined {
  const { rawHeaders, headers, method = '', url = '' } = request
  // HTTP/1.1 can claim to be another version, but not have pseudo-header fields.
  const isHttp2 = headers[':method'] !== undefined
  if (rawHeaders.length > (maxHeaders + (isHttp2 ? pseudoHeaders : 0)) * 2) {
    return tooMuch(`A request may have at most ${maxHeaders} headers.`)
  }
  // The parser of HTTP/1.1 counts them itself.
  if (isHttp2 && sizeOf(rawHeaders) > maxHeaderBytes) return tooMuch(headersTooLarge)
  if (isHttp2 && !METHODS.includes(method)) return malformed(`${method} is not a method.`)
  if (!isHttp2 && request.httpVersionMajor !== 1)
    return malformed('The version must be HTTP/1.0 or HTTP/1.1.')
  // A router that takes the fragment for something else would see another query (RFC 9112, section 3.2.1).
  if (!url.startsWith('/') || url.includes('#')) return malformed('The request target must be a path.')
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!single.has(name)) continue
    if (seen.has(name)) return malformed(`The header ${name} may be sent only once.`)
    seen.add(name)
  }
  const { host = headers[':authority'], expect } = headers
  if ((headers[':authority'] ?? host) !== host) return malformed('The Host header names another host.')
  if (host === undefined && request.httpVersion !== '1.0') return malformed('The Host header is missing.')
  if (host !== undefined && !isHost(String(host))) return malformed('The Host header is not a host.')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion === '1.0')) {
    return malformed('The only transfer coding is chunked, since HTTP/1.1.')
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return { ...malformed('The only expectation is 100-continue.'), status: 417 }
  }
  if (!isPercentEncoded(url)) return malformed('The request target is not percent-encoded UTF-8.')
  return undefined
}

/** A server is no proxy. */
const noProxy = 'This server is no proxy: CONNECT is not allowed.'

const notConnected: Refusal = { status: 405, error: new AppError('method_not_allowed', noProxy) }

/** The whole response to CONNECT over HTTP/1.1, after which the connection ends. */
export function connectRefusal(): string {
  return responseText('405 Method Not Allowed', notConnected.error, ['allow: '])
}

/** Responds to a request over HTTP/2 that is refused, and returns its status; undefined for others. */
export function refuseOverHttp2(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): number | undefined {
  const isConnect = request.method === 'CONNECT'
  const problem = isConnect ? notConnected : wireProblem(request)
  if (problem) refuse(request, response, problem)
  return problem?.status
}

/** The host that was last found to be one: nearly every request to a server names the same. */
let lastHost = ''

/**
 * Whether it is a host with or without a port, also to those who make a URL of it (RFC 9110, section 7.2).
 */
function isHost(text: string): boolean {
  if (text === lastHost) return true
  if (!/^[\w.[\]:-]+$/.test(text) || !URL.canParse(`http://${text}`)) return false
  lastHost = text
  return true
}

/** Whether every `%` begins an octet, and the octets are UTF-8; Fastify doesn't check. */
function isPercentEncoded(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** Responds to a refused request, whose body is not read. */
export function refuse(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  { status, error }: Refusal,
): void {
  const requestId = requestIdOf(request)
  const body = JSON.stringify(errorBody(error, requestId))
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    // No method is allowed (RFC 9110, section 10.2.1).
    ...(status === 405 && { allow: '' }),
    // Over HTTP/2 only the stream ends.
    ...(request.httpVersionMajor === 1 && { connection: 'close' }),
  }
  response.writeHead(status, headers)
  response.end(body)
}

/**
 * Responds on the bare socket to what the parser refused or timed out, and closes it. Returns the status;
 * undefined if the client is gone.
 */
export function refuseOnSocket(
  error: NodeJS.ErrnoException,
  socket: Socket,
  lingerMs: number,
): number | undefined {
  // The last response is still being sent.
  if (socket.writableEnded) return undefined
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return undefined
  }
  const { line, reason, message } = socketResponse(error.code)
  socket.end(responseText(line, new AppError(reason, message)))
  hangUp(socket, lingerMs)
  return Number.parseInt(line, 10)
}

/** A whole response, after which the connection ends. */
function responseText(line: string, error: AppError, more: string[] = []): string {
  const requestId = requestIdOf({ headers: {} })
  const body = JSON.stringify(errorBody(error, requestId))
  return [
    `HTTP/1.1 ${line}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    ...more,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

function socketResponse(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      line: '408 Request Timeout',
      reason: 'request_timeout',
      message: 'The request arrived too slowly.',
    } as const
  }
  const reason = 'malformed_request'
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      line: '431 Request Header Fields Too Large',
      reason,
      message: headersTooLarge,
    } as const
  }
  return { line: '400 Bad Request', reason, message: 'The request is not valid HTTP.' } as const
}

function sizeOf(rawHeaders: string[]): number {
  // As in HTTP/1.1: `: ` after a name and a line break after a value.
  return rawHeaders.reduce((size, text) => size + text.length + 2, 0)
}

function tooMuch(message: string): Refusal {
  return { status: 431, error: new AppError('malformed_request', message) }
}

function malformed(message: string): Refusal {
  const error = new AppError('malformed_request', message)
  return { status: statusOf(error), error }
}
