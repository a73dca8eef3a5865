/** After an early response, drains the body for a moment and then closes the connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'

/**
 * Keeps the connection open long enough for a client that is still sending to read the response: closing at once would
 * reset it (RFC 9112, section 9.6). Over HTTP/2 only the stream ends (RFC 9113, section 8.1).
 */
export function lingerAfterResponse(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse,
  lingerMs: number,
): void {
  if (request instanceof Http2ServerRequest) {
    const { stream } = request
    // Unlike the response's event, which comes at the very end.
    stream.once('finish', () => {
      const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs).unref()
      stream.once('close', () => clearTimeout(timer))
      request.resume()
    })
    return
  }
  response.once('finish', () => {
    if (request.complete) return
    const timer = hangUp(request.socket, lingerMs)
    request.once('close', () => clearTimeout(timer))
    request.resume()
  })
}

/** Closes `socket` after this time, even if the client hasn't closed its side. */
export function hangUp(socket: Socket, lingerMs: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), lingerMs).unref()
}
