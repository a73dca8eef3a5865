/** The API server: REST, RPC, uploads, the document and health on one port. */
import { createServer } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import type { ServerDeps } from './deps.ts'
import { mountDocs } from './docs.ts'
import { headersForStatus, sendError } from './errors.ts'
import { mountHealth } from './health.ts'
import { acceptOnlyJson } from './json-body.ts'
import { lingerAfterAnswer } from './linger.ts'
import { logRequests } from './log-requests.ts'
import { requestIdOf } from './request-id.ts'
import { decorateRequests } from './request-state.ts'
import { mountRest } from './rest.ts'
import { mountRpc } from './rpc.ts'
import { answerUnknownPaths } from './unknown-path.ts'
import { mountUploads } from './uploads.ts'
import { refuse, refuseOnSocket, wireProblem } from './wire.ts'

const maxHeaderBytes = 16 * 1024

/** Builds the server; it listens when `listen` is called on it. */
export async function createApiServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { log, timeouts } = deps
  const app = fastify({
    genReqId: requestIdOf,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { maxParamLength: 1_024 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      sendError(log, error, request, reply.header('x-request-id', request.id))
    },
    serverFactory: (handle) => createWireServer(timeouts, handle),
  })

  decorateRequests(app)
  answerUnknownPaths(app, deps)
  acceptOnlyJson(app, { maxJsonBytes: deps.maxJsonBytes, bodyTimeoutMs: timeouts.bodyMs })
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // What an answer says depends on the credential: no cache in between may keep it.
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onSend', async (request, reply) => {
    reply.headers(headersForStatus(reply.statusCode))
    if (!request.raw.complete) lingerAfterAnswer(request.raw, reply.raw)
  })
  logRequests(app, log)

  mountHealth(app, deps)
  mountRest(app, deps)
  mountRpc(app, deps)
  mountUploads(app, deps)
  mountDocs(app, deps)
  await app.ready()
  return app
}

function createWireServer(timeouts: ServerDeps['timeouts'], handle: Parameters<typeof createServer>[1]) {
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    (request, response) => {
      const problem = wireProblem(request)
      if (problem) refuse(request, response, problem)
      else handle?.(request, response)
    },
  )
  // Node would leave out headers past its own limit; wireProblem refuses the request instead.
  server.maxHeadersCount = 0
  server.on('clientError', refuseOnSocket)
  return server
}
