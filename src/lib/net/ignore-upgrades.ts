/**
 * Answers requests that would change the protocol as if they didn't say so (RFC 9110, section 7.8), unless
 * somebody takes them.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterResponses } from './latest-response.ts'

/**
 * Takes a request with `Upgrade` and its connection, and what was sent behind it; resolves to whether it did.
 */
export type TakeUpgrade = (request: IncomingMessage, socket: Socket, behind: Buffer) => Promise<boolean>

/**
 * Has `server` handle a request with `Upgrade` that nobody takes as one without it. Without this, Node
 * answers it, but drops what was sent behind it in the same packet. Call it before other listeners of
 * connections are added.
 */
export function ignoreUpgrades(server: Server, take?: TakeUpgrade): void {
  // Node's own, which parses requests; the others have seen the connection.
  const [parse] = server.listeners('connection')
  if (!parse) throw new Error('The server parses no connections.')
  const ignore = (request: IncomingMessage, socket: Socket, behind: Buffer): void => {
    if (socket.destroyed || socket.writableEnded) return
    socket.unshift(Buffer.concat([withoutUpgrade(request), behind]))
    socket.off('error', destroyOnError)
    // The parser before may have begun the pause between two requests, which this one doesn't end.
    socket.setTimeout(0)
    Reflect.apply(parse, server, [socket])
  }

  server.on('upgrade', (request, socket: Socket, behind) => {
    socket.on('error', destroyOnError)
    afterResponses(socket, () => {
      if (socket.destroyed || socket.writableEnded) return
      const goOn = () => ignore(request, socket, behind)
      if (take) take(request, socket, behind).then((isTaken) => isTaken || goOn(), goOn)
      else goOn()
    })
  })
}

/** Node has given the connection up, with its listener for errors. */
function destroyOnError(this: Socket): void {
  this.destroy()
}

/** The head as it was sent, whose fields have no line breaks. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
