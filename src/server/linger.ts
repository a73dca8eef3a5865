/** After an answer that came before the body was read, takes what still arrives for a moment and then hangs up. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const lingerMs = 2_000

/**
 * Keeps the connection open just long enough for a client that is still sending to read its answer: closing at once
 * would reset it (RFC 9112, section 9.6).
 */
export function lingerAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return
    const timer = hangUp(request.socket)
    request.once('close', () => clearTimeout(timer))
    request.resume()
  })
}

/** Closes `socket` in a moment, whether or not the client has closed its side by then. */
export function hangUp(socket: Socket): NodeJS.Timeout {
  return setTimeout(() => socket.destroy(), lingerMs).unref()
}
