/** The API server: REST, RPC, uploads, the document and health on one port. */
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import type { ServerDeps } from './deps.ts'
import { mountDocs } from './docs.ts'
import { headersForStatus, sendError } from './errors.ts'
import { mountHealth } from './health.ts'
import { acceptOnlyJson } from './json-body.ts'
import { lingerAfterAnswer } from './linger.ts'
import { logRequest } from './log-request.ts'
import { requestIdOf } from './request-id.ts'
import { decorateRequests } from './request-state.ts'
import { mountRest } from './rest.ts'
import { mountRpc } from './rpc.ts'
import { refuseUnknownPaths } from './unknown-path.ts'
import { mountUploads } from './uploads.ts'
import { refuse, refuseOnSocket, wireProblem } from './wire.ts'

const maxHeaderBytes = 16 * 1024

/** Builds the server; it listens when `listen` is called on it. */
export async function createApiServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { log, timeouts } = deps
  // As many calls may wait for it as there are.
  setMaxListeners(0, deps.stopping)
  const app = fastify({
    genReqId: requestIdOf,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { maxParamLength: 1_024 },
    forceCloseConnections: 'idle',
    // These don't come past the hooks below.
    frameworkErrors: (error, request, reply) => {
      sendError(log, error, request, reply.headers(headersOfEveryAnswer(request.id)))
    },
    // The server below has its own.
    clientErrorHandler: () => {},
    serverFactory: (handle) => createWireServer(timeouts, handle),
  })

  decorateRequests(app)
  acceptOnlyJson(app, { maxJsonBytes: deps.maxJsonBytes, bodyTimeoutMs: timeouts.bodyMs })
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  // Hooks that call back cost a fraction of those that return a promise, and all requests pass these.
  app.addHook('onRequest', (request, reply, done) => {
    request.startedMs = performance.now()
    reply.headers(headersOfEveryAnswer(request.id))
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Here rather than once it is sent, for which Fastify would listen to every answer.
    logRequest(log, request, reply)
    if (reply.statusCode >= 400) reply.headers(headersForStatus(reply.statusCode))
    // Fastify closes the connection at once after a body that was refused, and with it what the client is to read.
    if (reply.hasHeader('connection')) reply.removeHeader('connection')
    if (!request.raw.complete) lingerAfterAnswer(request.raw, reply.raw)
    done()
  })

  refuseUnknownPaths(app, deps)
  mountHealth(app, deps)
  mountRest(app, deps)
  mountRpc(app, deps)
  mountUploads(app, deps)
  mountDocs(app, deps)
  await app.ready()
  return app
}

/** What an answer says depends on the credential: no cache in between may keep it. */
function headersOfEveryAnswer(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store' }
}

function createWireServer(timeouts: ServerDeps['timeouts'], handle: RequestListener) {
  const refused = new WeakSet<Socket>()
  const latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would answer without a body; wireProblem looks at it.
      requireHostHeader: false,
    },
    (request, response) => {
      const { socket } = request
      // It came in one piece with a refused request, after which nothing on this connection is certain.
      if (refused.has(socket)) return
      const problem = wireProblem(request)
      if (problem) {
        refused.add(socket)
        refuse(request, response, problem)
        return
      }
      latest.set(socket, { request, response })
      handle(request, response)
    },
  )
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Node would leave out headers past its own limit; wireProblem refuses the request instead.
  server.maxHeadersCount = 0
  // A client may close its side once it has sent everything, and still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', (error, socket: Socket) => {
    if (refused.has(socket)) return
    const { request, response } = latest.get(socket) ?? {}
    // What is wrong comes after a whole request, which gets its own answer first.
    if (request?.complete && response?.writableFinished === false) {
      response.once('close', () => refuseOnSocket(error, socket))
    } else refuseOnSocket(error, socket)
  })
  return server
}
