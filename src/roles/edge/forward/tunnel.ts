/** Connects a visitor with the server behind a rule, once both have agreed on another protocol. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../observed-exchange.ts'
import type { Field } from './fields.ts'
import { createSilence } from './silence.ts'

/** Two ends, each with what has been read of it already. */
type Side = { socket: Duplex; head: Buffer }

/**
 * Answers with 101 and `fields`, and sends on what either side says, until one of them ends, or both have
 * been silent for `silentMs`.
 */
export function tunnel(
  exchange: Exchange,
  fields: readonly Field[],
  { visitor, server, silentMs }: { visitor: Side; server: Side; silentMs: number },
): Promise<void> {
  const ends = [visitor.socket, server.socket]
  return new Promise((resolve) => {
    const silence = createSilence(silentMs, end)
    function end(): void {
      silence.stop()
      for (const socket of ends) socket.destroy()
      resolve()
    }
    for (const socket of ends) socket.on('error', end).on('data', silence.heard).once('close', end)
    server.socket.on('data', (chunk: Buffer) => {
      exchange.bytes += chunk.length
    })
    try {
      switchProtocol(exchange.res, fields)
    } catch {
      end()
      return
    }
    exchange.bytes += server.head.length
    visitor.socket.write(server.head)
    server.socket.write(visitor.head)
    visitor.socket.pipe(server.socket)
    server.socket.pipe(visitor.socket)
  })
}

function switchProtocol(res: ServerResponse, fields: readonly Field[]): void {
  const { socket } = res
  res.sendDate = false
  res.writeHead(101, [...fields.flat(), 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
  res.end()
  if (socket) res.detachSocket(socket)
}
