/** One TCP connection: questions are answered as they come, in any order (RFC 7766, section 6.2.1.1). */
import type { Socket } from 'node:net'
import type { DnsObserver } from '../../../platform/observability/observers.ts'
import type { Responder } from '../respond.ts'
import { maxMessageBytes } from '../wire/byte-writer.ts'
import { type Question, readQuestion } from '../wire/question.ts'
import { rcodeOf } from '../wire/rcode-of.ts'
import { createFraming, framed } from './framing.ts'

export type Connection = {
  /** Closes it after pending responses. */
  end(): void
  /** Closes it now. */
  destroy(): void
}

type Options = {
  socket: Socket
  respond: Responder['respond']
  /** Called when a whole question came, or all responses were sent: the connection is alive. */
  onLife: () => void
  /** Whether the client may ask another question; otherwise the connection is closed. */
  mayAsk: () => boolean
  observe: DnsObserver | undefined
}

/** Pending questions of one connection, and unread bytes of responses, before reading pauses. */
const maxUnderWay = 100
const maxUnreadBytes = 64 * 1024

/** How long a client has to close its side once we have closed ours. */
const hangUpMs = 500

/** Serves a socket. */
export function serveConnection({ socket, respond, onLife, mayAsk, observe }: Options): Connection {
  const framing = createFraming()
  let underWay = 0
  /**
   * Whose responses came when the client had not read others: their questions are smaller, and responded to
   * again.
   */
  const late: { message: Buffer; question: Question }[] = []
  /** No more input, and no more output. */
  let hasEnded = false
  let isEnding = false

  const isUnread = () => socket.writableLength >= maxUnreadBytes
  const isFull = () => underWay >= maxUnderWay || isUnread()

  function readOn(): void {
    respondLate()
    while (!socket.destroyed && !isEnding && !isFull()) {
      const message = framing.next()
      if (message) {
        onLife()
        take(message)
      } else if (hasEnded) end()
      else {
        socket.resume()
        return
      }
    }
    if (!isEnding) socket.pause()
  }

  function take(message: Buffer): void {
    const question = readQuestion(message)
    if (!question) {
      socket.destroy()
      return
    }
    if (!mayAsk()) {
      end()
      return
    }
    respondTo(message, question)
  }

  function respondLate(): void {
    while (!socket.destroyed && !isFull()) {
      const next = late.shift()
      if (!next) return
      respondTo(next.message, next.question)
    }
  }

  function respondTo(message: Buffer, question: Question): void {
    const answer = respond(message, question, maxMessageBytes)
    if (Buffer.isBuffer(answer)) {
      write(answer, question)
      return
    }
    underWay += 1
    void answer.then((bytes) => {
      underWay -= 1
      if (isUnread()) late.push({ message, question })
      else write(bytes, question)
      if (isEnding) end()
      else readOn()
    })
  }

  function write(answer: Buffer, question: Question): void {
    if (!socket.writable) return
    observe?.answered('tcp', rcodeOf(question, answer))
    socket.write(framed(answer))
  }

  function end(): void {
    isEnding = true
    respondLate()
    if (underWay > 0 || late.length > 0 || socket.writableEnded) return
    socket.end()
    // Must be drained for the client's own end to be seen.
    socket.resume()
    setTimeout(() => socket.destroy(), hangUpMs).unref()
  }

  socket.on('data', (chunk) => {
    if (isEnding) return
    if (!Buffer.isBuffer(chunk) || !framing.take(chunk)) socket.destroy()
    else readOn()
  })
  socket.on('drain', () => {
    onLife()
    if (isEnding) end()
    else readOn()
  })
  // A client that half-closes still gets its responses.
  socket.on('end', () => {
    hasEnded = true
    readOn()
  })
  socket.on('error', () => socket.destroy())
  return { end, destroy: () => socket.destroy() }
}
