/** The bound of an HTTP/2 session for a client that doesn't read: a hundred responses share it. */
import {
  constants,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { mayTakeMore } from '../late-streams.ts'
import type { Peer } from './peer.ts'

/**
 * A stream of which its client reads nothing for this long, such as of a video that pauses, holds up no
 * others.
 */
const pausedMs = 500

/**
 * How much of what isn't paused a client may have unread: at first so much that one of 1 kB/s is seen to read
 * within half a minute, then more, up to what a fast client has in flight, or less.
 */
const firstBytes = 32 * 1024
const fastBytes = 256 * 1024
const slowBytes = 16 * 1024

/** Whoever has read something within this time is fast, or after this time is slow. */
const fastMs = 100
const slowMs = 1_000

/** About what the objects of an open request and its response take. */
const streamBytes = 16 * 1024

/**
 * `heldBytes`: read or made for the response, and not written to it. `movedMs`: when a response was last
 * written to or read.
 */
type Open = { headers: IncomingHttpHeaders; heldBytes: number; movedMs: number }

type Waiting = { stream: ServerHttp2Stream; bytes: number; go: () => void }

type Options = {
  address: string | undefined
  /** The most that may be unread, paused or not, before more is read or made for the client. */
  mostBytes: () => number
  /** Whether the connection is found to be reset; undefined where that is seen otherwise. */
  isLost: (() => boolean) | undefined
  end: () => void
}

/** The client of a session, which `end` ends. Its responses wait for their turn while too much is unread. */
export function createHttp2Peer(session: ServerHttp2Session, options: Options): Peer {
  const { address, mostBytes, isLost, end } = options
  const streams = new Map<ServerHttp2Stream, Open>()
  const waiting: Waiting[] = []
  let looking: NodeJS.Timeout | undefined
  let readMs = performance.now()
  let allowedBytes = firstBytes
  /** An upper bound of what is unsent and moves, and what didn't when it was last looked at. */
  let movingBytes = 0
  let pausedBytes = 0

  // Before the request is handled.
  session.prependListener('stream', (stream, headers) => {
    streams.set(stream, { headers, heldBytes: 0, movedMs: 0 })
    stream.once('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) hasRead(stream)
      streams.delete(stream)
      admitWaiting()
    })
  })

  session.once('close', () => clearInterval(looking))

  /** The client has read what was written to `stream`. */
  function hasRead(stream: ServerHttp2Stream): void {
    readMs = performance.now()
    const open = streams.get(stream)
    if (!open) return
    const tookMs = readMs - open.movedMs
    if (tookMs < fastMs) allowedBytes = Math.min(2 * allowedBytes, fastBytes)
    else if (tookMs > slowMs) allowedBytes = slowBytes
    open.movedMs = readMs
    for (const { stream: other } of waiting) mayTakeMore(other)
  }

  /** Adds up all streams only where what was held since the last time may be too much. */
  function isFull(): boolean {
    const isTooMuch = () => movingBytes >= allowedBytes || movingBytes + pausedBytes >= mostBytes()
    if (!isTooMuch()) return false
    movingBytes = 0
    pausedBytes = 0
    const sinceMs = performance.now() - pausedMs
    for (const [stream, { heldBytes, movedMs }] of streams) {
      const bytes = heldBytes + stream.writableLength
      if (movedMs >= sinceMs) movingBytes += bytes
      else pausedBytes += bytes
    }
    return isTooMuch()
  }

  function hold(stream: ServerHttp2Stream, bytes: number): void {
    const open = streams.get(stream)
    if (!open) return
    open.heldBytes += bytes
    open.movedMs = performance.now()
    if (bytes > 0) movingBytes += bytes
  }

  function admitWaiting(): void {
    while (waiting.length > 0 && !isFull()) {
      const next = waiting.shift()
      if (!next) break
      hold(next.stream, next.bytes)
      next.go()
    }
    // For what nobody reads any more while others wait.
    if (waiting.length > 0) looking ??= setInterval(admitWaiting, pausedMs / 4).unref()
    else if (looking) {
      clearInterval(looking)
      looking = undefined
    }
  }

  return {
    address,
    madeBytes: 0,
    enter(response, bytes) {
      if (!(response instanceof Http2ServerResponse)) return undefined
      const { stream } = response
      if (waiting.length === 0 && !isFull()) {
        hold(stream, bytes)
        return undefined
      }
      return new Promise((go) => {
        waiting.push({ stream, bytes, go })
        admitWaiting()
      })
    },
    hasRoom(response, bytes) {
      if (waiting.length > 0 || isFull()) return false
      movingBytes += bytes
      const open = response instanceof Http2ServerResponse && streams.get(response.stream)
      if (open) open.movedMs = performance.now()
      return true
    },
    hold(response, bytes) {
      if (response instanceof Http2ServerResponse) hold(response.stream, bytes)
    },
    read(response) {
      if (!(response instanceof Http2ServerResponse)) return
      hasRead(response.stream)
      mayTakeMore(response.stream)
      admitWaiting()
    },
    unreadBytes() {
      let bytes = this.madeBytes
      for (const [{ writableLength }, { headers, heldBytes }] of streams) {
        bytes += streamBytes + bytesOf(headers) + heldBytes + writableLength
      }
      return bytes
    },
    end,
    endIfStalled(nowMs, stalledMs) {
      if (isLost?.()) return end()
      const isAllRead = [...streams.keys()].every(({ writableLength }) => writableLength === 0)
      if (isAllRead) readMs = nowMs
      else if (nowMs - readMs >= stalledMs) end()
    },
  }
}

/** About what the headers of a request hold in memory. */
function bytesOf(headers: IncomingHttpHeaders): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}
