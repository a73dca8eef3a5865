/** The HTTP/1.1 connections of a server, ended between two requests rather than in one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { noteResponses, responseUnderWay } from './latest-response.ts'

/** How the time that a stop may take is used, in milliseconds. */
export type StopTimes = {
  /** How long a connection has to be silent before it is closed; a request that comes until then is answered. */
  silenceMs: number
  /** For all of it. */
  waitMs: number
}

/** A stop of at most `waitMs`, most of which is left to requests under way. */
export function stopTimes(waitMs: number): StopTimes {
  return { silenceMs: Math.min(500, waitMs / 4), waitMs }
}

/** How long a client has to close its side once we have closed ours. */
const hangUpMs = 2_000

type Connection = { bytesRead: number; ended: boolean }

/**
 * Begins to keep track of the connections of `server`, before it has any. The function that it returns ends them all:
 * answers from then on say `Connection: close`, a connection that is silent is closed, and what is left in the end is cut.
 * Closing at once would lose a request that is on its way (RFC 9112, section 9.3.1).
 */
export function trackConnections(server: Server): (times: StopTimes) => Promise<void> {
  const connections = new Map<Socket, Connection>()
  let tellEmpty = () => {}
  noteResponses(server)

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytesRead: -1, ended: false })
    socket.once('close', () => {
      connections.delete(socket)
      if (connections.size === 0) tellEmpty()
    })
  })

  return async ({ silenceMs, waitMs }) => {
    for (const socket of connections.keys()) {
      const response = responseUnderWay(socket)
      if (response && !response.headersSent) response.shouldKeepAlive = false
    }
    // Both begin a request; a server that doesn't listen to the second one has Node answer it.
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
        tellEmpty = resolve
      })
    }
    clearInterval(looks)
    clearTimeout(cut)
  }
}

function keepNoLonger(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/** Closes our side of a connection where no answer is under way and nothing has come since the last look. */
function endIfSilent(socket: Socket, connection: Connection): void {
  const { bytesRead, ended } = connection
  connection.bytesRead = socket.bytesRead
  if (ended || responseUnderWay(socket) || socket.bytesRead !== bytesRead) return
  connection.ended = true
  socket.end()
  setTimeout(() => socket.destroy(), hangUpMs).unref()
}
