/** Ends requests over HTTP/2 that take too long, which a connection of many requests doesn't tell. */
import type { IncomingMessage } from 'node:http'
import { constants, Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'

const timers = new WeakMap<ServerHttp2Stream, NodeJS.Timeout>()

/** Gives up a request, and the answer that its client is slow to read, after this time. */
export function endWhenLate(stream: ServerHttp2Stream, ms: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms).unref()
  timers.set(stream, timer)
  stream.once('close', () => clearTimeout(timer))
}

/** Lets `request` take as long as it likes: somebody else watches over its body. */
export function mayTakeLong(request: IncomingMessage | Http2ServerRequest): void {
  if (request instanceof Http2ServerRequest) clearTimeout(timers.get(request.stream))
}
