/** Closes the HTTP/1.1 connections of a server between requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { noteResponses, responseUnderWay } from './latest-response.ts'

/** The timing of a stop, in milliseconds. */
export type StopTimes = {
  /** How long a connection has to be idle before it is closed; requests until then are answered. */
  silenceMs: number
  /** In all. */
  waitMs: number
}

/** A stop of at most `waitMs`, most of which is for running requests. */
export function stopTimes(waitMs: number): StopTimes {
  return { silenceMs: Math.min(500, waitMs / 4), waitMs }
}

/** How long a client has to close its side once we have closed ours. */
const hangUpMs = 2_000

type Connection = { bytesRead: number; ended: boolean }

/**
 * Tracks the connections of `server`; call it before there are any. The returned function closes them all:
 * responses from then on have `Connection: close`, idle connections are closed, and the rest is cut off in
 * the end. Closing at once would lose a request in flight (RFC 9112, section 9.3.1).
 */
export function trackConnections(server: Server): (times: StopTimes) => Promise<void> {
  const connections = new Map<Socket, Connection>()
  let resolveEmpty = () => {}
  noteResponses(server)

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytesRead: -1, ended: false })
    socket.once('close', () => {
      connections.delete(socket)
      if (connections.size === 0) resolveEmpty()
    })
  })

  return async ({ silenceMs, waitMs }) => {
    for (const socket of connections.keys()) {
      const response = responseUnderWay(socket)
      if (response && !response.headersSent) response.shouldKeepAlive = false
    }
    // Both begin a request; without a listener for the second one, Node answers it.
    for (const event of ['request', 'checkContinue']) {
      if (server.listenerCount(event) > 0) server.prependListener(event, keepNoLonger)
    }
    const endSilent = () => {
      for (const [socket, connection] of connections) endIfSilent(socket, connection)
    }
    endSilent()
    const looks = setInterval(endSilent, silenceMs)
    const cut = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy()
    }, waitMs)
    while (connections.size > 0) {
      await new Promise<void>((resolve) => {
        resolveEmpty = resolve
      })
    }
    clearInterval(looks)
    clearTimeout(cut)
  }
}

function keepNoLonger(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/** Half-closes an idle connection: no response is pending and nothing has come since the last check. */
function endIfSilent(socket: Socket, connection: Connection): void {
  const { bytesRead, ended } = connection
  connection.bytesRead = socket.bytesRead
  if (ended || responseUnderWay(socket) || socket.bytesRead !== bytesRead) return
  connection.ended = true
  socket.end()
  setTimeout(() => socket.destroy(), hangUpMs).unref()
}
