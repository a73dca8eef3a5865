/** Requests of the attacker, each on a connection of its own. */
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'

type Sent = {
  port: number
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The address that it comes from. */
  from?: string
  signal: AbortSignal
}

/** A request that has begun; its body is the caller's, and it ends with the signal. */
export function begin({ port, path, method = 'POST', headers = {}, from, signal }: Sent): ClientRequest {
  const place = { host: '127.0.0.1', port, path, method, headers, agent: false, signal }
  const sent = request({ ...place, ...(from !== undefined && { localAddress: from }) })
  sent.on('error', () => {})
  return sent
}

/** A whole request. @throws without a response. */
export async function send(sent: Sent): Promise<{ status: number; text: string }> {
  const begun = begin(sent)
  begun.end(sent.body)
  const [response] = await once(begun, 'response', { signal: sent.signal })
  return { status: response.statusCode ?? 0, text: await text(response) }
}

/** The headers of a call with a key and a JSON body. */
export function jsonHeaders(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

/** A connection of plain TCP, which ends with the signal. */
export async function open(port: number, from: string, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  return ready(socket, 'connect', signal)
}

/** One of TLS that speaks HTTP/2, which ends with the signal. */
export async function openTls(
  port: number,
  { name, from, signal }: { name: string; from: string; signal: AbortSignal },
): Promise<TLSSocket> {
  const place = { host: '127.0.0.1', port, localAddress: from }
  const socket = connectTls({
    ...place,
    servername: name,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  })
  return ready(socket, 'secureConnect', signal)
}

async function ready<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  socket.on('error', () => {})
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
  const closed = once(socket, 'close', { signal }).then(() => {
    throw new Error('The connection was closed.')
  })
  closed.catch(() => {})
  await Promise.race([once(socket, event, { signal }), closed])
  return socket
}

/** Resolves at the end of the connection, and after so long, or with the signal, at the latest. */
export async function untilClosed(socket: Socket, maxMs: number, signal: AbortSignal): Promise<void> {
  if (socket.destroyed) return
  await Promise.race([once(socket, 'close', { signal }), sleep(maxMs, undefined, { signal })]).catch(() => {})
}
