/** Ends requests over HTTP/1.1 whose bodies take too long, where the server's own timeout is off. */
import type { IncomingMessage, Server } from 'node:http'
import { Http2ServerRequest } from 'node:http2'
import { mayTakeLong as mayStreamTakeLong } from './late-streams.ts'

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Ends a request of `server` that isn't complete after this time, as Node would. */
export function endWhenBodyIsLate(server: Server, request: IncomingMessage, ms: number): void {
  const end = () => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) server.emit('clientError', error, request.socket)
  }
  timers.set(request, setTimeout(end, ms).unref())
  request.once('close', () => clearTimeout(timers.get(request)))
}

/** Exempts `request`, over either protocol: its body has limits of its own. */
export function mayTakeLong(request: IncomingMessage | Http2ServerRequest): void {
  if (request instanceof Http2ServerRequest) mayStreamTakeLong(request)
  else clearTimeout(timers.get(request))
}
