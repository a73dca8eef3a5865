/**
 * Copies a stream into a response, with backpressure, and of exactly the declared length.
 */
import type { Readable } from 'node:stream'
import { giveBack } from '../../blobs/chunks.ts'
import type { Sending } from '../exchange.ts'

/**
 * Copies exactly `bytes` bytes from `source`, counts them, and leaves the response open; `begin` runs before the first
 * one. Rejects when the source fails or has another length, or the client disconnects; the source is destroyed then.
 */
export function pump(source: Readable, sending: Sending, bytes: number, begin: () => void): Promise<void> {
  const { res } = sending
  return new Promise((resolve, reject) => {
    let left = bytes

    function take(chunk: Buffer): void {
      if (left === bytes) begin()
      left -= chunk.length
      if (left < 0) {
        finish(new Error('A blob is longer than its row says.'))
        return
      }
      sending.bytes += chunk.length
      if (!res.write(chunk, (error) => error ?? giveBack(chunk))) source.pause()
    }

    function resume(): void {
      source.resume()
    }

    function finish(error?: Error): void {
      res.off('drain', resume).off('close', leave)
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
    if (res.destroyed) return leave()
    res.on('drain', resume).on('close', leave)
    source.on('data', take)
  })
}
