/** Responds to what node:http can't parse as a request. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { endInStages } from '../../../lib/net/close-in-stages.ts'
import { responseUnderWay } from '../../../lib/net/latest-response.ts'

const answers = {
  400: ['Bad Request', 'This request is malformed.'],
  405: ['Method Not Allowed', 'Only GET and HEAD are allowed here.'],
  408: ['Request Timeout', 'This request took too long to arrive.'],
  431: ['Request Header Fields Too Large', 'The header of this request is too large.'],
} as const

/** How long a client may go on sending after its last response. */
export const lingerMs = 1_000

/** The responses to the requests before a broken one, after which their connections end. */
const ending = new WeakSet<ServerResponse>()

/** The responses that come of the whole body of their request. */
const ofBody = new WeakSet<ServerResponse>()

/** Notes that nothing becomes of a response where the body of its request is broken off. */
export function needsBody(response: ServerResponse): void {
  ofBody.add(response)
}

/**
 * Responds with 408, 431 or 400 and closes; if another response has begun, closes once that has been sent.
 */
export function respondToClientError(error: Error, socket: Socket): void {
  const code = 'code' in error ? error.code : undefined
  if (socket.writableEnded) return
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const response = responseUnderWay(socket)
  if (response && ofBody.has(response) && !response.req.complete) socket.destroy()
  else if (!response) endInStages(socket, lingerMs, lastResponse(statusOf(code)))
  else if (!ending.has(response)) {
    ending.add(response)
    response.once('close', () => endInStages(socket, lingerMs))
  }
}

function statusOf(code: unknown): 400 | 408 | 431 {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** A whole response, after which the connection ends. */
export function lastResponse(status: keyof typeof answers): string {
  const [phrase, sentence] = answers[status]
  const text = `${sentence}\n`
  return [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length}`,
    'Cache-Control: no-store',
    ...(status === 405 ? ['Allow: GET, HEAD'] : []),
    'Connection: close',
    '',
    text,
  ].join('\r\n')
}
