/** Connects a visitor with the server behind a rule, once both have agreed on another protocol. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../observed-exchange.ts'
import type { Field } from './fields.ts'
import { createFrameEnds } from './frame-ends.ts'
import { createSilence } from './silence.ts'

/** Two ends, each with what has been read of it already. */
export type Side = { socket: Duplex; head: Buffer }

type Ends = {
  visitor: Side
  server: Side
  silentMs: number
  /** Resolves to true where the visitor has to go, and may come again; else to false. */
  goesAway?: Promise<boolean> | undefined
}

/** The last frame to a visitor who may come again: 1001 (RFC 6455, sections 5.5.1 and 7.4.1). */
const goingAway = Buffer.from([0x88, 2, 1001 >> 8, 1001 & 0xff])

/** How long a visitor has to read it, in milliseconds. */
const lastFrameMs = 1_000

/**
 * Answers with 101 and `fields`, and sends on what either side says, until one of them ends, both have
 * been silent for `silentMs`, or the visitor has to go.
 */
export function tunnel(
  exchange: Exchange,
  fields: readonly Field[],
  { visitor, server, silentMs, goesAway }: Ends,
): Promise<void> {
  const ends = [visitor.socket, server.socket]
  return new Promise((resolve) => {
    const silence = createSilence(silentMs, end)
    const frames = goesAway && createFrameEnds()
    function end(): void {
      silence.stop()
      for (const socket of ends) socket.destroy()
      resolve()
    }
    function sendAway(): void {
      if (visitor.socket.destroyed || !frames?.mayFollow()) {
        end()
        return
      }
      server.socket.unpipe(visitor.socket)
      for (const socket of ends) socket.off('close', end).off('data', silence.heard)
      silence.stop()
      server.socket.destroy()
      // With bytes of the visitor unread, the connection would be reset, and the frame lost.
      visitor.socket.resume().end(goingAway)
      setTimeout(() => visitor.socket.destroy(), lastFrameMs).unref()
      resolve()
    }
    for (const socket of ends) socket.on('error', end).on('data', silence.heard).once('close', end)
    server.socket.on('data', (chunk: Buffer) => {
      exchange.bytes += chunk.length
      frames?.read(chunk)
    })
    try {
      switchProtocol(exchange.res, fields)
    } catch {
      end()
      return
    }
    exchange.bytes += server.head.length
    frames?.read(server.head)
    visitor.socket.write(server.head)
    server.socket.write(visitor.head)
    visitor.socket.pipe(server.socket)
    server.socket.pipe(visitor.socket)
    goesAway?.then((hasToGo) => {
      if (hasToGo) sendAway()
    })
  })
}

function switchProtocol(res: ServerResponse, fields: readonly Field[]): void {
  const { socket } = res
  res.sendDate = false
  res.writeHead(101, [...fields.flat(), 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
  res.end()
  if (socket) res.detachSocket(socket)
}
