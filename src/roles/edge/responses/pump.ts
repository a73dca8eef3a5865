/**
 * Copies a stream into a response, with backpressure, and of exactly the declared length.
 */
import type { Readable } from 'node:stream'
import { isGone, peerOf } from '../../../lib/net/unread/peer.ts'
import { giveBack } from '../../../stores/blobs/chunks.ts'
import type { Sending } from '../observed-exchange.ts'
import { createPace } from './pace.ts'

/**
 * Copies exactly `bytes` bytes from `source`, counts them, and leaves the response open; `begin` runs before
 * the first one. Rejects when the source fails or has another length, or the client disconnects; the source
 * is destroyed then.
 */
export function pump(source: Readable, sending: Sending, bytes: number, begin: () => void): Promise<void> {
  const { res } = sending
  const peer = peerOf(res)
  const pace = createPace(res.req.httpVersionMajor)
  return new Promise((resolve, reject) => {
    let left = bytes
    let hasEnded = false
    /** The part of the source's latest chunk that waits for the client. */
    let unwritten = 0
    let goOn: (() => void) | undefined

    function take(chunk: Buffer): void {
      if (left === bytes) begin()
      left -= chunk.length
      if (left < 0) {
        finish(new Error('A blob is longer than its row says.'))
        return
      }
      hold(chunk.length)
      source.pause()
      send(chunk, 0)
    }

    /**
     * Writes `chunk` from `start` on, in as many pieces as its client's pace wants, and has the source go on.
     */
    function send(chunk: Buffer, start: number): void {
      const end = Math.min(chunk.length, start + pace.pieceBytes())
      const write = () => {
        if (hasEnded) return
        const piece = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)
        sending.bytes += piece.length
        hold(start - end)
        const isLast = end === chunk.length
        const next = () => {
          if (isLast) source.resume()
          else send(chunk, end)
        }
        pace.wrote()
        if (res.write(piece, isLast ? (error) => error ?? giveBack(chunk) : undefined)) resumeAfter(next)
        else goOn = next
      }
      if (peer) peer.enter(res, write)
      else write()
    }

    function resumeAfter(next: () => void): void {
      pace.drained()
      next()
    }

    function drained(): void {
      peer?.read(res)
      const next = goOn
      goOn = undefined
      if (next) resumeAfter(next)
    }

    function hold(more: number): void {
      unwritten += more
      if (peer) peer.readBytes += more
    }

    function finish(error?: Error): void {
      if (hasEnded) return
      hasEnded = true
      hold(-unwritten)
      res.off('drain', drained).off('close', leave)
      source.off('data', take)
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
    source.on('data', take)
  })
}
