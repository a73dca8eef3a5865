/** Sessions of HTTP/2 with the edges, from many addresses. */
import type { TLSSocket } from 'node:tls'
import { sessionStart } from '../../../support/http2-frames.ts'
import { openTls } from '../send.ts'
import { attackerAddress, inTurn, type Target } from '../target.ts'

/** Begins a session with the edge whose turn it is. */
export async function openSession(
  { edges, large }: Target,
  index: number,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const [name = ''] = large.host.split(':')
  const { tlsPort } = inTurn(edges, index)
  const socket = await openTls(tlsPort, { name, from: attackerAddress(index), signal })
  socket.write(sessionStart())
  return socket
}

/** What `:authority` is. */
export function authorityOf({ large, edges }: Target, index: number): string {
  const [name = ''] = large.host.split(':')
  return `${name}:${inTurn(edges, index).tlsPort}`
}
