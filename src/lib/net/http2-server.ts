/** Serves HTTP/2 on connections handed to it, with limits per session. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import { createTurns } from '../async/by-turns.ts'
import type { StopTimes } from './connections.ts'
import { continueWhenRead } from './continue-when-read.ts'
import { endWhenLate, hasLongRequests } from './late-streams.ts'
import { createHttp2Peer } from './unread/http2-peer.ts'
import { maxSessionStreams, type UnreadLimits } from './unread/limits.ts'
import { createIsLost } from './unread/lost-connection.ts'
import { introduce, peerOf } from './unread/peer.ts'

export type Http2Server = {
  /** Serves HTTP/2 on this connection; `carrier` is what lies below its TLS. */
  take(connection: Socket, carrier?: Socket): void
  /** Ends all sessions: no new requests after a moment, and running ones have until `waitMs`. */
  end(times: StopTimes): Promise<void>
}

type Options = {
  timeouts: Timeouts
  /** Called for requests as if they had come over HTTP/1.1. */
  handle: RequestListener
  unread: UnreadLimits
  /** Names the client of a connection; undefined for a proxy, which has many. */
  clientOf: (socket: Pick<Socket, 'remoteAddress'>) => string | undefined
  /** Responds to what must not be handled; returns whether it did. */
  refuse: (request: Http2ServerRequest, response: Http2ServerResponse) => boolean
}

type Taken = { connection: Socket; carrier: Socket | undefined }

/** In milliseconds: the first request of a session, a whole request, and the pause between two. */
type Timeouts = { headersMs: number; requestMs: number; idleMs: number }

/** More than any request needs; beyond it the stream or the session ends without a response. */
const limits = {
  // Twice the limit of the 431 response, so that requests slightly over it get that response.
  maxHeaderListPairs: 4_000,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  // In MiB.
  maxSessionMemory: 10,
  settings: {
    maxConcurrentStreams: maxSessionStreams,
    maxHeaderListSize: 128 * 1024,
    initialWindowSize: 256 * 1024,
    enablePush: false,
  },
}

/** How many more requests of a session may be cancelled than answered. */
const maxWasted = 200

/** How many bytes all uploads of a session together may have in flight. */
const sessionWindow = 1024 * 1024

/** How long after its last response a session may take to end. */
const endMs = 2_000

/** A GOAWAY with it announces the end, but accepts streams in flight (RFC 9113, section 6.8). */
const lastPossibleStream = 2 ** 31 - 1

/** The connection of each session. */
const connections = new WeakMap<ServerHttp2Session, Socket>()

/** A server of HTTP/2 sessions. CONNECT is refused like other methods. */
export function createHttp2Server({ timeouts, handle, unread, clientOf, refuse }: Options): Http2Server {
  const sessions = new Set<ServerHttp2Session>()
  const awaited = new Set<Socket>()
  let taken: Taken | undefined
  let stop: StopTimes | undefined
  let resolveEmpty = () => {}

  // A session may begin with a hundred requests in a packet, whose heads are all read at once.
  const inSessionTurn = createTurns<Socket>(1)
  // Later, since the rest of a packet may cancel a request that it begins with.
  const inTurn = createTurns<string | Http2Session | undefined>()
  const server = createServer(limits, (request, response) =>
    inTurn(peerOf(response)?.address ?? request.stream.session, () => serve(request, response)),
  )

  function takeNow(connection: Socket, carrier: Socket | undefined): void {
    awaited.delete(connection)
    taken = { connection, carrier }
    if (!connection.destroyed) server.emit('connection', connection)
    taken = undefined
    resolveIfEmpty()
  }

  function resolveIfEmpty(): void {
    if (sessions.size + awaited.size === 0) resolveEmpty()
  }

  function serve(request: Http2ServerRequest, response: Http2ServerResponse): void {
    if (request.stream.closed || request.stream.destroyed) return
    if (refuse(request, response)) return
    declareBody(request)
    // Fastify supports both; its types only one of them.
    handle(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  }

  server.on('connect', refuse)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Without a listener Node requests every body, also that of a request which is refused by its head.
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response)
    server.emit('request', request, response)
  })
  server.on('session', (session) => {
    sessions.add(session)
    if (taken) connections.set(session, taken.connection)
    session.once('close', () => {
      sessions.delete(session)
      resolveIfEmpty()
    })
    session.setLocalWindowSize(sessionWindow)
    refuseMoreStreams(session, unread.sessionStreams())
    const peer = createHttp2Peer(session, {
      address: clientOf(session.socket),
      mostBytes: unread.sessionBytes,
      isLost: taken?.carrier && createIsLost(taken.connection, taken.carrier),
      end: () => cut(session, constants.NGHTTP2_ENHANCE_YOUR_CALM),
    })
    introduce(session, peer)
    session.once('close', unread.watch(peer))
    cutWhenSilent(session, timeouts.idleMs)
    endWhenUnused(session, timeouts)
    endWhenWasteful(session)
    session.on('stream', (stream) => endWhenLate(stream, timeouts.requestMs + endMs))
    if (stop) endGracefully(session, stop.silenceMs)
  })

  return {
    take(connection, carrier) {
      awaited.add(connection)
      inSessionTurn(connection, () => takeNow(connection, carrier))
    },
    async end(times) {
      stop = times
      for (const session of sessions) endGracefully(session, times.silenceMs)
      const cutting = setTimeout(() => {
        for (const session of sessions) cut(session)
      }, times.waitMs)
      while (sessions.size + awaited.size > 0) {
        await new Promise<void>((resolve) => {
          resolveEmpty = resolve
        })
      }
      clearTimeout(cutting)
    },
  }
}

/**
 * Where memory is short, refuses more open requests than `most`, before anything is held for them. Clients
 * send those again (RFC 9113, section 8.7).
 */
function refuseMoreStreams(session: ServerHttp2Session, most: number): void {
  if (most < maxSessionStreams) session.settings({ maxConcurrentStreams: most })
}

/** Ends a session on which nothing moves, unless a request may take long. */
function cutWhenSilent(session: ServerHttp2Session, idleMs: number): void {
  session.setTimeout(idleMs, () => {
    if (hasLongRequests(session)) cutWhenSilent(session, idleMs)
    else cut(session)
  })
}

/** Ends an idle session: soon at the start, later after a response. */
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

/** Ends a session whose client keeps cancelling its requests (rapid reset, CVE-2023-44487). */
function endWhenWasteful(session: ServerHttp2Session): void {
  let wasted = 0
  session.on('stream', (stream) => {
    stream.once('close', () => {
      wasted = stream.rstCode ? wasted + 1 : Math.max(0, wasted - 1)
      if (wasted > maxWasted && !session.destroyed) cut(session, constants.NGHTTP2_ENHANCE_YOUR_CALM)
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
  setTimeout(() => cut(session), endMs).unref()
}

/** Ends a session with its connection, which it would leave open while the client reads nothing. */
function cut(session: ServerHttp2Session, code?: number): void {
  session.destroy(undefined, code)
  setImmediate(() => connections.get(session)?.destroy())
}

/** HTTP/2 bodies need no header; Fastify looks for one. */
function declareBody({ stream, headers }: Http2ServerRequest): void {
  if (!stream.endAfterHeaders && headers['content-length'] === undefined) {
    headers['transfer-encoding'] = 'chunked'
  }
}
