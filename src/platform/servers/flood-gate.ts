/** Bounds what reading the output of a server costs its node: what is too much is dropped line by line. */
import type { Rate } from '../limits/rate.ts'
import { tokenBuckets } from '../limits/token-bucket.ts'

const mebibyte = 1024 * 1024

/** The rate of reading, in bytes, of which each line costs some more: a log keeps 100 lines a second. */
const readRate: Rate = { perSecond: mebibyte / 4, burst: 2 * mebibyte }

/** The bytes that are taken at all. A server that prints more waits. */
const takenRate: Rate = {
  perSecond: 4 * mebibyte,
  burst: 16 * mebibyte,
  refill: { tokens: 32 * 1024, everyMs: 8 },
}

/** The cost of a line besides its bytes: reading many short ones takes the longest. */
const lineCost = 250

/** The length of a part in bytes, which may be lines without text: reading it takes about a millisecond. */
const partBytes = 4 * 1024

const lineFeed = 0x0a

const ofRead = tokenBuckets(readRate)
const ofTaken = tokenBuckets(takenRate)

/**
 * The fate of a part: the line that has begun is `cutOff`, lines are `dropped`, `rest` is to be read,
 * and the next part is to be taken after `waitMs` milliseconds.
 */
type Gated = { cutOff: boolean; dropped: number; rest: Buffer | undefined; waitMs: number }

export type FloodGate = {
  take(part: Buffer): Gated
  /** How many lines are dropped by the end: one that has begun, or none. */
  end(): number
}

/** The gate of one stream of output; `now` is a monotonic clock in milliseconds. */
export function createFloodGate(now: () => number): FloodGate {
  const read = ofRead.full(now())
  const taken = ofTaken.full(now())
  let isDropping = false
  let isWithinLine = false

  function gate(part: Buffer, nowMs: number): Omit<Gated, 'waitMs'> {
    const lines = countLines(part)
    const cost = Math.min(readRate.burst, part.length + lines * lineCost)
    const mayRead = ofRead.draw(read, cost, nowMs).allowed
    if (!isDropping) {
      if (mayRead) {
        isWithinLine = part.at(-1) !== lineFeed
        return { cutOff: false, dropped: 0, rest: part }
      }
      isDropping = true
      return { cutOff: true, ...drop(part, lines) }
    }
    // Only what begins with a line is read again: a part of one could be a part of a secret.
    const end = mayRead ? part.indexOf(lineFeed) : -1
    if (end === -1) return { cutOff: false, ...drop(part, lines) }
    isDropping = false
    isWithinLine = part.at(-1) !== lineFeed
    return { cutOff: false, dropped: 1, rest: part.subarray(end + 1) }
  }

  function drop(part: Buffer, lines: number): { dropped: number; rest: undefined } {
    isWithinLine = part.at(-1) !== lineFeed
    return { dropped: lines, rest: undefined }
  }

  return {
    take(part) {
      const nowMs = now()
      return { ...gate(part, nowMs), waitMs: ofTaken.draw(taken, part.length, nowMs).waitMs }
    },
    end: () => (isDropping && isWithinLine ? 1 : 0),
  }
}

function countLines(chunk: Buffer): number {
  let count = 0
  // Short lines are many: a search for each would take longer than this.
  for (let at = 0; at < chunk.length; at += 1) if (chunk[at] === lineFeed) count += 1
  return count
}

/** Parts that are short enough for others to wait for; together they are the chunk. */
export function* partsOf(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += partBytes) yield chunk.subarray(at, at + partBytes)
}
