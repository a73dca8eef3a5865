/** Closes connections after their last response in stages (RFC 9112, section 9.6). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Has `server` half-close a connection after the last response, drop what still arrives, and close it once
 * the client has, at the latest `lingerMs` after the response was sent. Closing at once would reset the
 * connection of a client that is still sending, which then loses the rest of the response.
 */
export function closeInStages(server: Server, lingerMs: number): void {
  server.on('connection', (socket: Socket) => {
    // Node calls this after the last response.
    socket.destroySoon = () => endInStages(socket, lingerMs)
  })
}

/** The same for one connection, with `text` as the last that is sent. Does nothing when called again. */
export function endInStages(socket: Socket, lingerMs: number, text = ''): void {
  if (socket.writableEnded) return
  // Node's parser gives the connection up, so that no request runs that was sent behind the last one.
  socket.removeAllListeners('data').on('data', () => {})
  socket.resume()
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(timer))
  })
  socket.end(text)
}
