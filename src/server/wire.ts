/** Refuses requests that Node's parser lets through but whose meaning isn't certain. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { errorBody, statusOf } from '../trpc/error-body.ts'
import { hangUp } from './linger.ts'
import { requestIdOf } from './request-id.ts'

/** More than any client needs; Node would drop what is over its own limit without a word. */
const maxHeaders = 200

/** Headers of which a second one could be read as another identity, length or host. */
const single = new Set([
  'host',
  'authorization',
  'content-length',
  'content-type',
  'x-request-id',
  'idempotency-key',
  'x-svc-team',
])

type Refusal = { status: number; error: AppError }

/** Why this request is refused (RFC 9112, sections 3.2 and 6.1), or undefined. */
export function wireProblem(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, headers, url = '' } = request
  if (rawHeaders.length > maxHeaders * 2) {
    return {
      status: 431,
      error: new AppError('malformed_request', `A request has at most ${maxHeaders} headers.`),
    }
  }
  if (!url.startsWith('/')) return malformed('The request target must be a path.')
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!single.has(name)) continue
    if (seen.has(name)) return malformed(`The header ${name} may be sent once only.`)
    seen.add(name)
  }
  const { host, expect } = headers
  if (host === undefined && request.httpVersion === '1.1') return malformed('The Host header is missing.')
  if (host !== undefined && !/^[\w.[\]:-]+$/.test(host)) return malformed('The Host header is not a host.')
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

/** Whether every `%` in the text begins an octet, and all together are UTF-8; Fastify would take them as they come. */
function isPercentEncoded(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** Answers a refused request, whose body is not read. */
export function refuse(request: IncomingMessage, response: ServerResponse, { status, error }: Refusal): void {
  const requestId = requestIdOf(request)
  const body = JSON.stringify(errorBody(error, requestId))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(body)
}

/** Answers what the parser refused, or was not sent in time, on the bare socket, and closes it. */
export function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { line, reason, message } = socketAnswer(error.code)
  const requestId = requestIdOf({ headers: {} })
  const body = JSON.stringify(errorBody(new AppError(reason, message), requestId))
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  )
  hangUp(socket)
}

function socketAnswer(code: string | undefined) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      line: '408 Request Timeout',
      reason: 'request_timeout',
      message: 'The request came too slowly.',
    } as const
  }
  const reason = 'malformed_request'
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      line: '431 Request Header Fields Too Large',
      reason,
      message: 'The headers are too large.',
    } as const
  }
  return { line: '400 Bad Request', reason, message: 'The request is not valid HTTP.' } as const
}

function malformed(message: string): Refusal {
  const error = new AppError('malformed_request', message)
  return { status: statusOf(error), error }
}
