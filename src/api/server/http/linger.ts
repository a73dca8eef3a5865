/**
 * After a response that comes before the end of its request's body, drops the rest, or closes the connection.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import { endInStages } from '../../../lib/net/close-in-stages.ts'
import { announcedBody, drain } from '../../../lib/net/unread-body.ts'
import type { Timeouts } from './timeouts.ts'

/**
 * Call it before the head of the response is sent, which then says whether the connection goes on. It does
 * where little of the body is left, which may take as long as a body may, unless it did already; otherwise it
 * is closed in stages, so that a client that is still sending can read the response (RFC 9112, section 9.6).
 * Over HTTP/2 only the stream ends (RFC 9113, section 8.1).
 */
export function lingerAfterResponse(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse,
  { lingerMs, bodyMs }: Timeouts,
): void {
  if (request instanceof Http2ServerRequest) endStream(request, lingerMs)
  else if (response.statusCode !== 408 && announcedBody(request.rawHeaders) !== 'long')
    drainAfter(response, request, { lingerMs, bodyMs })
  else response.setHeader('connection', 'close')
}

function endStream(request: Http2ServerRequest, lingerMs: number): void {
  const { stream } = request
  // Unlike the response's event, which comes at the very end.
  stream.once('finish', () => {
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs).unref()
    stream.once('close', () => clearTimeout(timer))
    drain(request)
  })
}

function drainAfter(
  response: ServerResponse,
  request: IncomingMessage,
  { lingerMs, bodyMs }: Pick<Timeouts, 'lingerMs' | 'bodyMs'>,
): void {
  response.once('finish', () => {
    if (request.complete) return
    const timer = setTimeout(() => endInStages(request.socket, lingerMs), bodyMs).unref()
    const forget = () => clearTimeout(timer)
    // Its end, since a request that is read after its response does not close; or that of the connection.
    request.once('end', forget).once('close', forget)
    drain(request)
  })
}

/** Closes `socket` after this time, even if the client hasn't closed its side. */
export function hangUp(socket: Socket, lingerMs: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), lingerMs).unref()
}
