/** Bounds what reading the output of a server costs its node: what is too much is dropped line by line. */
import { createMemoryLimiter } from '../limits/memory-limiter.ts'
import type { Rate } from '../limits/rate.ts'

const mebibyte = 1024 * 1024

/** The rate of reading, in bytes, of which each line costs some more: more than the log keeps. */
const readRate: Rate = { perSecond: mebibyte, burst: 2 * mebibyte }

/** The bytes that are taken at all. A server that prints more waits. */
const takenRate: Rate = {
  perSecond: 4 * mebibyte,
  burst: 16 * mebibyte,
  refill: { tokens: 32 * 1024, everyMs: 8 },
}

/** The cost of a line besides its bytes. */
const lineCost = 100

const lineFeed = 0x0a

/**
 * The fate of a chunk: the line that has begun is `cutOff`, lines are `dropped`, `rest` is to be read,
 * and the next chunk is to be taken after `waitMs` milliseconds.
 */
type Gated = { cutOff: boolean; dropped: number; rest: Buffer | undefined; waitMs: number }

export type FloodGate = {
  take(chunk: Buffer): Gated
  /** How many lines are dropped by the end: one that has begun, or none. */
  end(): number
}

/** The gate of one stream of output; `now` is a monotonic clock in milliseconds. */
export function createFloodGate(now: () => number): FloodGate {
  const read = createMemoryLimiter(readRate, now)
  const taken = createMemoryLimiter(takenRate, now)
  let isDropping = false
  let isWithinLine = false

  function gate(chunk: Buffer): Omit<Gated, 'waitMs'> {
    const lines = countLines(chunk)
    const cost = Math.min(readRate.burst, chunk.length + lines * lineCost)
    const mayRead = read.draw('', cost).allowed
    if (!isDropping) {
      if (mayRead) {
        isWithinLine = chunk.at(-1) !== lineFeed
        return { cutOff: false, dropped: 0, rest: chunk }
      }
      isDropping = true
      return { cutOff: true, ...drop(chunk, lines) }
    }
    // Only what begins with a line is read again: a part of one could be a part of a secret.
    const end = mayRead ? chunk.indexOf(lineFeed) : -1
    if (end === -1) return { cutOff: false, ...drop(chunk, lines) }
    isDropping = false
    isWithinLine = chunk.at(-1) !== lineFeed
    return { cutOff: false, dropped: 1, rest: chunk.subarray(end + 1) }
  }

  function drop(chunk: Buffer, lines: number): { dropped: number; rest: undefined } {
    isWithinLine = chunk.at(-1) !== lineFeed
    return { dropped: lines, rest: undefined }
  }

  return {
    take: (chunk) => ({ ...gate(chunk), waitMs: taken.draw('', chunk.length).waitMs }),
    end: () => (isDropping && isWithinLine ? 1 : 0),
  }
}

function countLines(chunk: Buffer): number {
  let count = 0
  // Short lines are many: a search for each would take longer than this.
  for (let at = 0; at < chunk.length; at += 1) if (chunk[at] === lineFeed) count += 1
  return count
}
