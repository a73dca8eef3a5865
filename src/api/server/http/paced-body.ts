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
  if (!peer || !body) {
    send()
    return
  }
  if (body.length <= pieceBytes) sendWhole(peer, reply, body.length, send)
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

function sendWhole(peer: Peer, { raw }: FastifyReply, bytes: number, send: () => void): void {
  const turn = peer.enter(raw, bytes)
  const write = () => {
    send()
    peer.hold(raw, -bytes)
  }
  if (!turn) {
    write()
    return
  }
  peer.madeBytes += bytes
  void turn.then(() => {
    peer.madeBytes -= bytes
    write()
  })
}

/** A copy of the body that is this response's alone. */
function countUntilClosed(peer: Peer, { raw }: FastifyReply, bytes: number): void {
  peer.madeBytes += bytes
  raw.once('close', () => {
    peer.madeBytes -= bytes
  })
}

function inPieces(peer: Peer, { raw }: FastifyReply, body: Buffer): Readable {
  let at = 0
  return new Readable({
    read() {
      if (at > 0) peer.read(raw)
      const piece = body.subarray(at, at + pieceBytes)
      at += piece.length
      const give = () => {
        this.push(piece)
        peer.hold(raw, -piece.length)
        if (at === body.length) this.push(null)
      }
      // In a turn of its own: what is given while it is read counts as unread only later.
      process.nextTick(() => {
        const turn = peer.enter(raw, piece.length)
        if (turn) void turn.then(give)
        else give()
      })
    },
  })
}
