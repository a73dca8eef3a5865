/** After an answer that came before the body was read, takes what still arrives for a moment and then hangs up. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'

/**
 * Keeps the connection open just long enough for a client that is still sending to read its answer: closing at once
 * would reset it (RFC 9112, section 9.6). Of HTTP/2 only the stream ends (RFC 9113, section 8.1).
 */
export function lingerAfterResponse(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse,
  lingerMs: number,
): void {
  if (request instanceof Http2ServerRequest) {
    const { stream } = request
    // Unlike that of the response, which comes when all is over.
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

/** Closes `socket` after this time, whether or not the client has closed its side by then. */
export function hangUp(socket: Socket, lingerMs: number): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), lingerMs).unref()
}
