/** Serves HTTP/2 on connections that are handed to it, each of which may hold only so much for so long. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import { AppError } from '../../errors.ts'
import type { StopTimes } from '../../net/connections.ts'
import type { Timeouts } from '../deps.ts'
import { endWhenLate } from './late-streams.ts'
import { refuse, wireProblem } from './wire.ts'

export type Http2Server = {
  /** Serves the HTTP/2 that comes on this connection. */
  take(connection: Duplex): void
  /** Ends all sessions: no new requests after a moment, and those under way have until `waitMs`. */
  end(times: StopTimes): Promise<void>
}

/** More than any request of ours needs; beyond it there is no answer, only the end of the stream or the session. */
const limits = {
  // Twice as many as are answered with a 431, so that those who are a little over are told.
  maxHeaderListPairs: 4_000,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  // In MiB.
  maxSessionMemory: 10,
  settings: {
    maxConcurrentStreams: 100,
    maxHeaderListSize: 128 * 1024,
    initialWindowSize: 256 * 1024,
    enablePush: false,
  },
}

/** How many more requests of a session may be taken back than answered. */
const maxWasted = 200

/** What all uploads of a session together may have on the way, in bytes. */
const sessionWindow = 1024 * 1024

/** How long after its last answer a session may take to end. */
const endMs = 2_000

/** A GOAWAY with it announces the end, and still takes what is on its way (RFC 9113, section 6.8). */
const lastPossibleStream = 2 ** 31 - 1

/**
 * A server that has `handle` answer requests as if they had come over HTTP/1.1. `onRefused` is told the status of what it
 * answers by itself.
 */
export function createHttp2Server(
  timeouts: Timeouts,
  handle: RequestListener,
  onRefused: (status: number) => void,
): Http2Server {
  const sessions = new Set<ServerHttp2Session>()
  let stop: StopTimes | undefined
  let tellEmpty = () => {}

  const server = createServer(limits, (request, response) => {
    // It was taken back in the same breath.
    if (request.stream.closed || request.stream.destroyed) return
    const problem = wireProblem(request)
    if (problem) {
      refuse(request, response, problem)
      onRefused(problem.status)
    } else {
      tellOfBody(request)
      // Fastify is made for both; its types for one of them.
      handle(request as unknown as IncomingMessage, response as unknown as ServerResponse)
    }
  })
  server.on('connect', (request, response) => onRefused(refuseConnect(request, response)))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => {
      sessions.delete(session)
      if (sessions.size === 0) tellEmpty()
    })
    session.setLocalWindowSize(sessionWindow)
    session.setTimeout(timeouts.idleMs, () => session.destroy())
    endWhenUnused(session, timeouts)
    endWhenWasteful(session)
    session.on('stream', (stream) => endWhenLate(stream, timeouts.requestMs + endMs))
    if (stop) endGracefully(session, stop.silenceMs)
  })

  return {
    take: (connection) => void server.emit('connection', connection),
    async end(times) {
      stop = times
      for (const session of sessions) endGracefully(session, times.silenceMs)
      const cut = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, times.waitMs)
      while (sessions.size > 0) {
        await new Promise<void>((resolve) => {
          tellEmpty = resolve
        })
      }
      clearTimeout(cut)
    },
  }
}

/** Ends a session on which nobody has asked for anything: soon at the start, later after an answer. */
function endWhenUnused(session: ServerHttp2Session, { headersMs, idleMs }: Timeouts): void {
  const endIn = (ms: number) => setTimeout(() => endNow(session), ms).unref()
  let timer = endIn(headersMs)
  let open = 0
  session.on('stream', (stream) => {
    clearTimeout(timer)
    open += 1
    stream.once('close', () => {
      open -= 1
      if (open === 0 && !session.destroyed) timer = endIn(idleMs)
    })
  })
  session.once('close', () => clearTimeout(timer))
}

/** Ends a session whose client keeps taking back what it has asked (CVE-2023-44487). */
function endWhenWasteful(session: ServerHttp2Session): void {
  let wasted = 0
  session.on('stream', (stream) => {
    stream.once('close', () => {
      wasted = stream.rstCode ? wasted + 1 : Math.max(0, wasted - 1)
      if (wasted > maxWasted && !session.destroyed)
        session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    })
  })
}

function endGracefully(session: ServerHttp2Session, silenceMs: number): void {
  if (session.destroyed) return
  session.goaway(constants.NGHTTP2_NO_ERROR, lastPossibleStream)
  setTimeout(() => session.close(), silenceMs)
}

function endNow(session: ServerHttp2Session): void {
  session.close()
  setTimeout(() => session.destroy(), endMs).unref()
}

/** HTTP/2 has a body without a header that says so; Fastify looks for one. */
function tellOfBody({ stream, headers }: Http2ServerRequest): void {
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked'
  }
}

/** Returns the status. */
function refuseConnect(request: Http2ServerRequest, response: Http2ServerResponse): number {
  const error = new AppError('method_not_allowed', 'This server is no proxy: CONNECT is not allowed.')
  refuse(request, response, { status: 405, error })
  return 405
}
