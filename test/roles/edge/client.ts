/** Two clients of an edge: for whole requests, and for raw bytes. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; bytes: () => Buffer }

/** Sends one request on a connection of its own; `host` is the `Host` value, the address is the loopback. */
export async function sendRequest(
  port: number,
  host: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<Reply> {
  const sent = request({ port, host: '127.0.0.1', path, method, agent: false, headers: { host, ...headers } })
  sent.end()
  const [reply] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  return { status: reply.statusCode, headers: reply.headers, text: body.toString(), bytes: () => body }
}

/**
 * Writes `bytes` as they are and returns what came back (one character per byte) until the other side closed.
 */
export async function exchange(port: number, ...bytes: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = untilClosed(socket)
  for (const each of bytes) {
    socket.write(each, 'latin1')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

/** Resolves when the connection is closed; a reset is one way to close it. */
export function untilClosed(socket: Socket): Promise<void> {
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve()))
}
