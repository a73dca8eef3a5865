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

/** More isn't written before the client has read some of it; about what a fast client has in flight. */
const maxUnreadBytes = 256 * 1024

/** Files that begin to be read at a time; one that isn't sent after this time makes room for another. */
const maxBeginning = 4
const beginningMs = 500

/**
 * A stream of which its client reads nothing for this long, such as of a video that pauses, holds up no
 * others.
 */
const pausedMs = 1_000

/** `movedMs`: when a response was last written to or read. */
type Open = { headers: IncomingHttpHeaders; movedMs: number }

/**
 * The client of a session, which `end` ends. Writes to its streams wait for their turn while `maxUnreadBytes`
 * are unread.
 */
export function createHttp2Peer(
  session: ServerHttp2Session,
  address: string | undefined,
  end: () => void,
): Peer {
  const streams = new Map<ServerHttp2Stream, Open>()
  const waiting: (() => void)[] = []
  let looking: NodeJS.Timeout | undefined
  let readMs = performance.now()
  const toBegin: (() => void)[] = []
  let beginning = 0
  /** An upper bound of what is unsent. */
  let mostUnsentBytes = 0

  // Before the request is handled.
  session.prependListener('stream', (stream, headers) => {
    streams.set(stream, { headers, movedMs: 0 })
    stream.once('close', () => {
      streams.delete(stream)
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) readMs = performance.now()
      writeWaiting()
    })
  })

  session.once('close', () => clearInterval(looking))

  /** Of all streams, or of those that have moved since `sinceMs`. */
  function unsentBytes(sinceMs = Number.NEGATIVE_INFINITY): number {
    let bytes = 0
    for (const [stream, { movedMs }] of streams) if (movedMs >= sinceMs) bytes += stream.writableLength
    return bytes
  }

  /** Adds up all streams only where what was written since the last time may be too much. */
  function isFull(): boolean {
    if (mostUnsentBytes < maxUnreadBytes) return false
    mostUnsentBytes = unsentBytes(performance.now() - pausedMs)
    return mostUnsentBytes >= maxUnreadBytes
  }

  function write({ stream }: Http2ServerResponse, writeTo: () => void): void {
    const open = streams.get(stream)
    if (open) open.movedMs = performance.now()
    writeTo()
    mostUnsentBytes += stream.writableLength
  }

  function writeWaiting(): void {
    while (waiting.length > 0 && !isFull()) waiting.shift()?.()
    // For what nobody reads any more while others wait.
    if (waiting.length > 0) looking ??= setInterval(writeWaiting, pausedMs / 4).unref()
    else if (looking) {
      clearInterval(looking)
      looking = undefined
    }
  }

  /** Calls `read` with what ends it. */
  function begin(read: (end: () => void) => void): void {
    beginning += 1
    let hasBegun = false
    const begun = () => {
      if (hasBegun) return
      hasBegun = true
      clearTimeout(timer)
      beginning -= 1
      toBegin.shift()?.()
    }
    const timer = setTimeout(begun, beginningMs).unref()
    read(begun)
  }

  return {
    address,
    readBytes: 0,
    enter(response, writeTo) {
      const writeNow = () => {
        if (response instanceof Http2ServerResponse) write(response, writeTo)
        else writeTo()
      }
      if (waiting.length === 0 && !isFull()) writeNow()
      else {
        waiting.push(writeNow)
        writeWaiting()
      }
    },
    read(response) {
      if (!(response instanceof Http2ServerResponse)) return
      readMs = performance.now()
      const open = streams.get(response.stream)
      if (open) open.movedMs = readMs
      mayTakeMore(response.stream)
      writeWaiting()
    },
    beginReading: () =>
      new Promise((resolve) => {
        if (beginning < maxBeginning) begin(resolve)
        else toBegin.push(() => begin(resolve))
      }),
    unreadBytes() {
      let bytes = this.readBytes + unsentBytes()
      for (const { headers } of streams.values()) bytes += bytesOf(headers)
      return bytes
    },
    end,
    endIfStalled(nowMs, stalledMs) {
      if (unsentBytes() === 0) readMs = nowMs
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
