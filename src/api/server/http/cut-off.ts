/** Ends a request without a response. */
import type { IncomingMessage } from 'node:http'
import { constants, Http2ServerRequest } from 'node:http2'

/**
 * Closes the connection of a request; over HTTP/2 its stream, with ENHANCE_YOUR_CALM (RFC 9113, section 7).
 */
export function cutOff(request: IncomingMessage | Http2ServerRequest): void {
  if (request instanceof Http2ServerRequest) request.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
  else request.socket.destroy()
}
