/** Ends HTTP/2 requests that take too long, which timeouts of the connection don't catch. */
import type { IncomingMessage } from 'node:http'
import { constants, Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'

const timers = new WeakMap<ServerHttp2Stream, NodeJS.Timeout>()

/** Ends a request after this time, or a response of which its client reads nothing for that long. */
export function endWhenLate(stream: ServerHttp2Stream, ms: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms).unref()
  timers.set(stream, timer)
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
