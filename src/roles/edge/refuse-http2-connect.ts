/** Answers CONNECT over HTTP/2, which has a request line of its own (RFC 9113, section 8.5; RFC 8441). */
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** Sends 405 and closes the stream; returns whether `request` is one. */
export function refuseHttp2Connect(request: Http2ServerRequest, response: Http2ServerResponse): boolean {
  if (request.method !== 'CONNECT') return false
  response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 })
  response.end()
  return true
}
