/** Ends HTTP/2 requests that take too long, which timeouts of the connection don't catch. */
import type { IncomingMessage } from 'node:http'
import { constants, Http2ServerRequest, type Http2Session, type ServerHttp2Stream } from 'node:http2'

const timers = new WeakMap<ServerHttp2Stream, NodeJS.Timeout>()

/** How many requests of a session have limits of their own. */
const exempt = new WeakMap<Http2Session, number>()

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

/** Exempts `request`, and with it the silence of its session: it has limits of its own. */
export function mayTakeLong(request: IncomingMessage | Http2ServerRequest): void {
  if (!(request instanceof Http2ServerRequest)) return
  const { stream } = request
  forget(stream)
  const { session } = stream
  if (!session) return
  exempt.set(session, (exempt.get(session) ?? 0) + 1)
  stream.once('close', () => exempt.set(session, (exempt.get(session) ?? 1) - 1))
}

/** Whether a session has requests that may take long. */
export function hasLongRequests(session: Http2Session): boolean {
  return (exempt.get(session) ?? 0) > 0
}

function forget(stream: ServerHttp2Stream): void {
  clearTimeout(timers.get(stream))
  timers.delete(stream)
}
