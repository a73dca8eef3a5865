/**
 * Copies a stream into a response, with backpressure, and of exactly the declared length.
 */
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createTurns } from '../../../lib/async/by-turns.ts'
import { isGone, type Peer, peerOf } from '../../../lib/net/unread/peer.ts'
import { giveBack, smallChunkBytes } from '../../../stores/blobs/chunks.ts'
import type { Sending } from '../observed-exchange.ts'
import { createPace } from './pace.ts'

/** So many pieces are read in a turn of the event loop: to check and encrypt one takes half a millisecond. */
const inTurn = createTurns<string | Peer | ServerResponse>(8)

/**
 * Copies exactly `bytes` bytes from `source`, counts them, and leaves the response open; `begin` runs before
 * the first one. Nothing is read before the client may have it in memory, nor, while it reads slowly, before
 * it has read what came before. Rejects when the source fails or has another length, or the client
 * disconnects; the source is destroyed then.
 */
export function pump(source: Readable, sending: Sending, bytes: number, begin: () => void): Promise<void> {
  const { res } = sending
  const peer = peerOf(res)
  const pace = createPace(res.req.httpVersionMajor)
  return new Promise((resolve, reject) => {
    let left = bytes
    let hasEnded = false
    /** Bytes that are in memory, or are being read, and aren't written yet. */
    let held = 0
    let isReading = false
    /** The bytes that count for the chunk that is being read, until it is there. */
    let reserved = 0
    /** The chunk that was read while the one before it was sent. */
    let ahead: Buffer | undefined
    /** Whether the next chunk is written as soon as it is there. */
    let isDue = false
    let goOn: (() => void) | undefined

    /** Reads the next chunk, unless that is under way. */
    function read(): void {
      if (isReading || ahead) return
      isReading = true
      reserved = Math.min(left, smallChunkBytes)
      held += reserved
      // Nothing but the end is to come then.
      const turn = reserved === 0 ? undefined : peer?.enter(res, reserved)
      if (turn) void turn.then(readInTurn)
      else readInTurn()
    }

    function readInTurn(): void {
      inTurn(peer?.address ?? peer ?? res, readNow)
    }

    function readNow(): void {
      if (hasEnded) return
      // It reads once it has a listener.
      if (source.listenerCount('readable') === 0) source.on('readable', take)
      else take()
    }

    function take(): void {
      if (!isReading) return
      const chunk: Buffer | null = source.read()
      if (chunk === null) return
      isReading = false
      hold(chunk.length - reserved)
      ahead = chunk
      if (isDue) send()
    }

    function next(): void {
      isDue = true
      if (ahead) send()
      else read()
    }

    function send(): void {
      const chunk = ahead
      if (!chunk) return
      ahead = undefined
      isDue = false
      if (left === bytes) begin()
      left -= chunk.length
      if (left < 0) finish(new Error('A blob is longer than its row says.'))
      else write(chunk, 0)
    }

    /** Writes `chunk` from `start` on, in as many pieces as its client's pace wants, and goes on. */
    function write(chunk: Buffer, start: number): void {
      if (hasEnded) return
      const end = Math.min(chunk.length, start + pace.pieceBytes())
      const piece = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)
      sending.bytes += piece.length
      const isLast = end === chunk.length
      // All of it stays in memory until then.
      if (isLast) hold(-chunk.length)
      const following = () => (isLast ? next() : write(chunk, end))
      pace.wrote()
      const hasRoom = res.write(piece, isLast ? (error) => error ?? giveBack(chunk) : undefined)
      if (hasRoom) resumeAfter(following)
      else {
        goOn = following
        if (isLast && pace.isFast()) read()
      }
    }

    function resumeAfter(following: () => void): void {
      pace.drained()
      following()
    }

    function drained(): void {
      peer?.read(res)
      const following = goOn
      goOn = undefined
      if (following) resumeAfter(following)
    }

    function hold(more: number): void {
      held += more
      peer?.hold(res, more)
    }

    function finish(error?: Error): void {
      if (hasEnded) return
      hasEnded = true
      hold(-held)
      res.off('drain', drained).off('close', leave)
      source.off('readable', take)
      source.destroy()
      if (error) reject(error)
      else resolve()
    }

    function end(): void {
      finish(left === 0 ? undefined : new Error('A blob is shorter than its row says.'))
    }

    function leave(): void {
      finish(new Error('The client disconnected.'))
    }

    // These listeners stay, since a late error would be uncaught.
    source.on('error', finish).on('end', end).on('close', end)
    if (isGone(res)) return leave()
    res.on('drain', drained).on('close', leave)
    next()
  })
}
