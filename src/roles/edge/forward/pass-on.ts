/** Passes a request on to a server, and its answer back to the visitor, both as they come. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hasCode } from '../../../lib/has-code.ts'
import { isGone } from '../../../lib/net/unread/peer.ts'
import type { Exchange } from '../observed-exchange.ts'
import { sendText } from '../responses/deliver.ts'
import type { SiteResponse } from '../responses/response.ts'
import { endToEnd, type Field } from './fields.ts'
import { hasBody, isRepeatable } from './has-body.ts'
import { createSilence, type Silence, type SilenceLimits, SilentError } from './silence.ts'
import { tunnel } from './tunnel.ts'
import { addTrailers, createHints, cutAnswer, writeHead } from './write-answer.ts'

/**
 * Why nothing has been answered; `isStale` where that is since a kept connection had ended, of a request that
 * may be repeated.
 */
export type Failure = { failure: unknown; isStale: boolean }

type Passing = {
  /** Opens the request to the server. */
  open(): ClientRequest
  /**
   * Whether to open it again, which is possible if it `isStale`, or no connection came about: the body has
   * not been read then. What it rejects with counts as the failure.
   */
  again(failed: Failure): Promise<boolean>
  /** The answer to a visitor for whom the server has none. */
  failed(error: unknown): SiteResponse
  /** The fields of the answer that the visitor gets. */
  answerFields(status: number, rawHeaders: readonly string[]): Field[]
  limits: SilenceLimits
  /** The visitor's connection, where it requests another protocol on it; `head` has been read already. */
  upgrade?: { socket: Duplex; head: Buffer } | undefined
  /** Called once there is a WebSocket; resolves to true where its visitor has to go, else to false. */
  goesAway?(): Promise<boolean>
}

/** How long the body of a request over HTTP/2 waits for the server's `100 (Continue)`, in milliseconds. */
const continueMs = 1_000

/** The most answers before the last one (1xx); each costs as much time as a request. */
const maxInformed = 100

/**
 * Resolves once the answer has been sent, or the exchange has failed, which the visitor sees: as the answer
 * `failed` where none has begun, else by its being cut short.
 */
export async function passOn(exchange: Exchange, passing: Passing): Promise<void> {
  const { res } = exchange
  for (;;) {
    const { failure, wasKept } = await attempt(exchange, passing)
    if (failure === undefined || isGone(res)) return
    // A server may end a kept connection at the moment at which the next request is sent.
    const isStale = wasKept && isReset(failure) && isRepeatable(res.req)
    const next = await passing.again({ failure, isStale }).catch((error: unknown) => ({ error }))
    if (isGone(res)) return
    if (next === true) continue
    sendText(exchange, passing.failed(next === false ? failure : next.error))
    return
  }
}

function isReset(failure: unknown): boolean {
  return hasCode(failure, 'ECONNRESET') || hasCode(failure, 'EPIPE')
}

/** Tries once; `failure` is there where nothing has been answered. */
async function attempt(
  exchange: Exchange,
  passing: Passing,
): Promise<{ failure: unknown; wasKept: boolean }> {
  try {
    const upstream = passing.open()
    const failure = await transfer(exchange, upstream, passing)
    return { failure, wasKept: upstream.reusedSocket }
  } catch (failure) {
    return { failure, wasKept: false }
  }
}

/** Resolves when the exchange has ended: to the error where nothing has been answered. */
function transfer(
  exchange: Exchange,
  upstream: ClientRequest,
  { answerFields, limits, upgrade, goesAway }: Passing,
): Promise<unknown> {
  const { res } = exchange
  const { req } = res
  return new Promise((resolve) => {
    const silence = createSilence(limits.messageMs, () => end(new SilentError()))
    let isWhole = false
    let isOver = false

    /** Ends what is left of both sides. */
    function end(error?: unknown): void {
      if (isOver) return
      isOver = true
      silence.stop()
      res.off('close', end)
      // A server may answer before it has read the body.
      if (!isWhole || !upstream.writableFinished) upstream.destroy()
      if (res.headersSent && !isWhole && !isGone(res)) cutAnswer(res)
      resolve(res.headersSent || isGone(res) ? undefined : error)
    }

    res.once('close', end)
    sendBody(req, upstream, silence)
    const showHints = createHints(res)
    let informed = 0
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      informed += 1
      // What came in one packet is read to its end.
      if (isOver) return
      if (informed > maxInformed) end(new Error('The server says too much before its answer.'))
      else if (statusCode === 103) showHints(endToEnd(rawHeaders))
    })
    upstream.on('continue', () => {
      if (!res.headersSent && req.httpVersionMajor === 1) res.writeContinue()
    })
    upstream.on('error', end)
    upstream.on('upgrade', (answer, socket, head) => {
      if (!upgrade || isOver) {
        socket.destroy()
        end(new Error('The server changes the protocol without a request for that.'))
        return
      }
      silence.stop()
      res.off('close', end)
      const fields = answerFields(101, answer.rawHeaders)
      const server = { socket, head }
      const ends = { visitor: upgrade, server, silentMs: limits.streamMs, goesAway: goesAway?.() }
      tunnel(exchange, fields, ends).then(resolve)
    })
    upstream.on('response', (answer) => {
      if (isOver) return
      silence.heard()
      try {
        if (req.httpVersionMajor === 1) res.shouldKeepAlive = !upgrade && mayGoOn(req)
        const status = answer.statusCode ?? 0
        writeHead(res, status, answerFields(status, answer.rawHeaders))
      } catch (error) {
        end(error)
        return
      }
      if (isEventStream(answer)) silence.allow(limits.streamMs)
      answer.on('data', (chunk: Buffer) => {
        silence.heard()
        exchange.bytes += chunk.length
      })
      res.on('drain', silence.heard)
      // The answer is piped, but its end isn't: an answer that was cut off ends, too.
      answer.pipe(res, { end: false })
      answer.once('error', end)
      answer.once('end', () => {
        isWhole = answer.complete
        if (!isWhole) {
          end()
          return
        }
        addTrailers(res, answer.rawTrailers)
        res.end()
        end()
      })
    })
  })
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
}

/** Whether the connection of the visitor serves another request: not where the rest of a body may come. */
function mayGoOn({ complete, httpVersion, headers }: IncomingMessage): boolean {
  return complete && httpVersion === '1.1' && !/\bclose\b/i.test(headers.connection ?? '')
}

/** Sends the visitor's body as it comes, once somebody is there to take it. */
function sendBody(req: IncomingMessage, upstream: ClientRequest, silence: Silence): void {
  if (!hasBody(req)) {
    upstream.end()
    return
  }
  const send = () => {
    req.on('data', silence.heard)
    upstream.on('drain', silence.heard)
    req.pipe(upstream, { end: false })
    req.once('end', () => {
      addTrailers(upstream, req.rawTrailers)
      upstream.end()
    })
  }
  // Over HTTP/2, reading the body requests it from the visitor.
  if (req.httpVersionMajor === 1 || req.headers.expect === undefined) {
    whenConnected(upstream, send)
    return
  }
  const timer = setTimeout(() => whenConnected(upstream, send), continueMs)
  upstream.once('continue', () => {
    clearTimeout(timer)
    send()
  })
  upstream.once('close', () => clearTimeout(timer))
}

/** Until then, what has been read of a body would be lost with a connection that doesn't come about. */
function whenConnected(upstream: ClientRequest, send: () => void): void {
  const sendUnlessOver = () => {
    if (!upstream.destroyed) send()
  }
  const useSocket = (socket: Socket) => {
    if (socket.connecting) socket.once('connect', sendUnlessOver)
    else sendUnlessOver()
  }
  if (upstream.socket) useSocket(upstream.socket)
  else upstream.once('socket', useSocket)
}
