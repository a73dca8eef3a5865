/**
 * Sends large bodies over HTTP/2 in pieces, since a hundred responses may wait for one client to read them.
 */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Peer, peerOf } from '../../../lib/net/unread/peer.ts'

const pieceBytes = 64 * 1024

/**
 * Calls `send` with what takes the place of `payload`, if anything does, once the client has read enough of
 * what was sent before. What it gets undefined for stays as it is.
 */
export function paceBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  send: (payload?: unknown) => void,
): void {
  const peer = peerOf(reply.raw)
  const body = request.method === 'HEAD' ? undefined : bodyOf(payload)
  if (!peer) send()
  else if (!body || body.length <= pieceBytes) peer.enter(reply.raw, () => send())
  else {
    if (body !== payload) countUntilClosed(peer, reply, body.length)
    reply.header('content-length', body.length)
    send(inPieces(peer, reply, body))
  }
}

/** Undefined for a stream, which has a pace of its own. */
function bodyOf(payload: unknown): Buffer | undefined {
  if (typeof payload === 'string') return Buffer.from(payload)
  return payload instanceof Buffer ? payload : undefined
}

/** A copy of the body that is this response's alone. */
function countUntilClosed(peer: Peer, { raw }: FastifyReply, bytes: number): void {
  peer.readBytes += bytes
  raw.once('close', () => {
    peer.readBytes -= bytes
  })
}

function inPieces(peer: Peer, { raw }: FastifyReply, body: Buffer): Readable {
  let at = 0
  return new Readable({
    read() {
      if (at > 0) peer.read(raw)
      // In a turn of its own: what is given while it is read counts as unread only later.
      process.nextTick(() =>
        peer.enter(raw, () => {
          const end = Math.min(body.length, at + pieceBytes)
          const piece = body.subarray(at, end)
          at = end
          this.push(piece)
          if (at === body.length) this.push(null)
        }),
      )
    },
  })
}
