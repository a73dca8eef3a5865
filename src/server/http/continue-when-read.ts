/** Requests the body of a request with `Expect: 100-continue` once it is wanted (RFC 9110, section 10.1.1). */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Sends 100 when somebody begins to read the body; a response before that leaves the body unread. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.on('newListener', function begin(event) {
    if (event !== 'readable' && event !== 'data') return
    request.off('newListener', begin)
    if (!response.headersSent) response.writeContinue()
  })
}
