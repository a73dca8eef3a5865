/** Passes a request on to a server, and its answer back to the visitor, both as they come. */
import type { IncomingMessage } from 'node:http'
import { hasCode } from '../../../lib/has-code.ts'
import { isGone } from '../../../lib/net/unread/peer.ts'
import type { Exchange } from '../observed-exchange.ts'
import { sendText } from '../responses/deliver.ts'
import type { SiteResponse } from '../responses/response.ts'
import { endToEnd, type Field, keyOf } from './fields.ts'
import { isRepeatable } from './has-body.ts'
import type { Receiver, Send, Sent } from './sending.ts'
import { createSilence, type SilenceLimits, SilentError } from './silence.ts'
import { type Side, tunnel } from './tunnel.ts'
import { addTrailers, createHints, cutAnswer, writeHead } from './write-answer.ts'

/**
 * Why nothing has been answered; `isStale` where that is since a kept connection had ended, of a request that
 * may be repeated.
 */
export type Failure = { failure: unknown; isStale: boolean }

type Passing = {
  /** Sends the request to the server. */
  send: Send
  /**
   * Whether to send it again, which is possible if it `isStale`, or no connection came about: the body has
   * not been read then. What it rejects with counts as the failure.
   */
  again(failed: Failure): Promise<boolean>
  /** The answer to a visitor for whom the server has none. */
  failed(error: unknown): SiteResponse
  /** The fields of the answer that the visitor gets. */
  answerFields(status: number, rawHeaders: readonly string[]): Field[]
  limits: SilenceLimits
  /** The visitor's connection, where it requests another protocol on it; `head` has been read already. */
  upgrade?: Side | undefined
  /** Called once there is a WebSocket; resolves to true where its visitor has to go, else to false. */
  goesAway?(): Promise<boolean>
}

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
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].some((code) => hasCode(failure, code))
}

type Attempt = { failure: unknown; wasKept: boolean }

/** Tries once; `failure` is there where nothing has been answered. */
async function attempt(exchange: Exchange, passing: Passing): Promise<Attempt> {
  try {
    return await transfer(exchange, passing)
  } catch (failure) {
    return { failure, wasKept: false }
  }
}

/** Resolves when the exchange has ended. @throws as `send` does. */
function transfer(
  exchange: Exchange,
  { send, answerFields, limits, upgrade, goesAway }: Passing,
): Promise<Attempt> {
  const { res } = exchange
  const { req } = res
  return new Promise((resolve) => {
    const silence = createSilence(limits.messageMs, () => end(new SilentError()))
    const showHints = createHints(res)
    let sent: Sent | undefined
    let hints = 0
    let isWhole = false
    let isOver = false

    /** Ends what is left of both sides. */
    function end(error?: unknown): void {
      if (isOver) return
      isOver = true
      leave()
      const wasKept = sent?.wasKept() ?? false
      sent?.stop()
      if (res.headersSent && !isWhole && !isGone(res)) cutAnswer(res)
      resolve({ failure: res.headersSent || isGone(res) ? undefined : error, wasKept })
    }

    function leave(): void {
      silence.stop()
      res.off('close', end).off('drain', goOn)
    }

    function goOn(): void {
      silence.heard()
      sent?.goOn()
    }

    const receiver: Receiver = {
      heard: silence.heard,
      wantsBody() {
        if (!res.headersSent && req.httpVersionMajor === 1) res.writeContinue()
      },
      hints(status, rawHeaders) {
        hints += 1
        // What came in one packet is read to its end.
        if (isOver) return
        if (hints > maxInformed) end(new Error('The server says too much before its answer.'))
        else if (status === 103) showHints(endToEnd(rawHeaders))
      },
      begins(status, rawHeaders) {
        if (isOver) return
        silence.heard()
        if (req.httpVersionMajor === 1) res.shouldKeepAlive = !upgrade && mayGoOn(req)
        writeHead(res, status, answerFields(status, rawHeaders))
        if (isEventStream(rawHeaders)) silence.allow(limits.streamMs)
      },
      goesOn(chunk) {
        if (isOver) return true
        silence.heard()
        exchange.bytes += chunk.length
        return res.write(chunk)
      },
      ends(rawTrailers) {
        if (isOver) return
        isWhole = true
        addTrailers(res, rawTrailers)
        res.end()
        end()
      },
      switches(rawHeaders, server) {
        if (!upgrade || isOver) {
          server.socket.destroy()
          end(new Error('The server changes the protocol without a request for that.'))
          return
        }
        leave()
        const fields = answerFields(101, rawHeaders)
        const ends = { visitor: upgrade, server, silentMs: limits.streamMs, goesAway: goesAway?.() }
        tunnel(exchange, fields, ends).then(() => resolve({ failure: undefined, wasKept: false }))
      },
      fails: end,
    }

    res.once('close', end).on('drain', goOn)
    try {
      sent = send(receiver)
    } catch (error) {
      end(error)
    }
  })
}

function isEventStream(rawHeaders: readonly string[]): boolean {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && keyOf(name) === 'content-type')
  return /^text\/event-stream\b/i.test(rawHeaders[at + 1] ?? '')
}

/** Whether the connection of the visitor serves another request: not where the rest of a body may come. */
function mayGoOn({ complete, httpVersion, headers }: IncomingMessage): boolean {
  return complete && httpVersion === '1.1' && !/\bclose\b/i.test(headers.connection ?? '')
}
