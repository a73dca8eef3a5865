/** Ends HTTP/2 requests that take too long, which timeouts of the connection don't catch. */
import type { IncomingMessage } from 'node:http'
import { constants, Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'

const timers = new WeakMap<ServerHttp2Stream, NodeJS.Timeout>()

/** A client that reads slowly is seen to read only after each piece, which waits for those of others. */
const unreadMs = 90_000

/** Ends a request after this time, or later a response of which its client reads nothing for long. */
export function endWhenLate(stream: ServerHttp2Stream, ms: number): void {
  const end = () => stream.close(constants.NGHTTP2_CANCEL)
  const endUnlessResponding = () => {
    if (stream.headersSent) timers.set(stream, setTimeout(end, unreadMs).unref())
    else end()
  }
  timers.set(stream, setTimeout(endUnlessResponding, ms).unref())
  stream.once('close', () => forget(stream))
}

/** Begins the time of `stream` anew: its client has read something. */
export function mayTakeMore(stream: ServerHttp2Stream): void {
  timers.get(stream)?.refresh()
}

/** Exempts `request`: its body has limits of its own. */
export function mayTakeLong(request: IncomingMessage | Http2ServerRequest): void {
  if (request instanceof Http2ServerRequest) forget(request.stream)
}

function forget(stream: ServerHttp2Stream): void {
  clearTimeout(timers.get(stream))
  timers.delete(stream)
}
