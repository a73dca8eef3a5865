/**
 * Requests the body of a request with `Expect: 100-continue` once it is wanted (RFC 9110, section 10.1.1).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** Sends 100 when somebody begins to read the body; a response before that leaves the body unread. */
export function continueWhenRead(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  function begin(event: string | symbol): void {
    if (event !== 'readable' && event !== 'data') return
    request.removeListener('newListener', begin)
    if (!response.headersSent) response.writeContinue()
  }
  request.on('newListener', begin)
}
