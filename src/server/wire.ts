/** Refuses requests that Node's parser lets through but whose meaning isn't certain. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { errorBody, statusOf } from '../trpc/error-body.ts'
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
])

type Refusal = { status: number; error: AppError }

/** Why this request is refused (RFC 9112, section 3.2), or undefined. */
export function wireProblem(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, url = '' } = request
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
  if (!/^[\w.[\]:-]*$/.test(request.headers.host ?? '')) return malformed('The Host header is not a host.')
  return undefined
}

/** Answers a refused request, whose body is not read. */
export function refuse(request: IncomingMessage, response: ServerResponse, { status, error }: Refusal): void {
  const requestId = requestIdOf(request)
  const body = JSON.stringify(errorBody(error, requestId))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
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
      `x-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
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
