/** The API server: REST, RPC, uploads, the document and health on one port. */
import { setMaxListeners } from 'node:events'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { createClientAddress } from '../../lib/net/client-address.ts'
import { mountAuth } from './auth/mount-auth.ts'
import { decorateRequests } from './caller/request-state.ts'
import { mountRest } from './calls/rest.ts'
import { mountRpc } from './calls/rpc.ts'
import { mountUploads } from './calls/uploads.ts'
import type { ServerDeps } from './deps.ts'
import { mountDocs } from './docs/mount-docs.ts'
import { mountGit } from './git/mount-git.ts'
import { mountHealth } from './health.ts'
import { mountHome } from './home/home.ts'
import { mountForgeHooks } from './hooks/mount-forge.ts'
import { mountHooks } from './hooks/mount-hooks.ts'
import { answerPreflight, createCors, isPreflight } from './http/cors.ts'
import { headersForStatus, sendError } from './http/errors.ts'
import { releaseBodies } from './http/held-body.ts'
import { createHttp1Server } from './http/http1-server.ts'
import { acceptOnlyJson, bodyLimitsOf } from './http/json-body.ts'
import { lingerAfterResponse } from './http/linger.ts'
import { logRequest } from './http/log-request.ts'
import { paceBody } from './http/paced-body.ts'
import { requestIdOf } from './http/request-id.ts'
import { mountPackages } from './npm-packages.ts'
import { mountDocument } from './openapi/mount-openapi.ts'
import { refuseUnknownPaths } from './refuse-unknown-paths.ts'

/** One year (RFC 6797), without subdomains, which may belong to others. */
const strictTransport = ['strict-transport-security', 'max-age=31536000'] as const

/** Builds the server, which listens when `listen` is called on it. */
export async function createApiServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { log, timeouts } = deps
  const { observe } = deps.services
  // Each waiting call adds a listener.
  setMaxListeners(0, deps.stopping)
  const app = fastify({
    genReqId: requestIdOf,
    trustProxy: deps.trustedProxies.length > 0 ? deps.trustedProxies : false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { maxParamLength: 1_024 },
    forceCloseConnections: 'idle',
    // These requests bypass the hooks below.
    frameworkErrors: (error, request, reply) => {
      lingerAfterResponse(request.raw, reply.raw, timeouts)
      sendError(log, error, request, reply.headers(headersOfEveryResponse(request.id)))
    },
    // Replaced by the limits of the server below.
    clientErrorHandler: () => {},
    serverFactory: (handle) => createHttp1Server(timeouts, handle, deps.onRefused),
  })

  const cors = createCors(deps.corsOrigins)
  const clientAddress = createClientAddress(deps.trustedProxies)
  decorateRequests(app)
  releaseBodies(app)
  acceptOnlyJson(app, bodyLimitsOf(deps))
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  // Hooks with callbacks cost a fraction of those with promises, and every request runs these.
  app.addHook('onRequest', (request, reply, done) => {
    const { remoteAddress } = request.socket
    // The connection is closed: nobody gets the response, and pipelined requests must not run (RFC 9112,
    // section 9.6).
    if (!remoteAddress) {
      reply.hijack()
      return
    }
    request.startedMs = performance.now()
    request.address = clientAddress(remoteAddress, forwardedForOf(request))
    reply.headers(headersOfEveryResponse(request.id))
    if (deps.strictTransport && request.protocol === 'https') reply.header(...strictTransport)
    const corsHeaders = cors.headersFor(request)
    if (corsHeaders) reply.headers(corsHeaders)
    if (corsHeaders && isPreflight(request)) answerPreflight(reply)
    else done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // The status of tRPC's adapter, which Fastify applies only after this hook.
    if (payload instanceof Response) reply.code(payload.status)
    // Here instead of onResponse, for which Fastify would add a listener to every response.
    const ms = performance.now() - request.startedMs
    logRequest(log, request, reply, ms)
    // Undefined for RPC, whose calls are counted one by one.
    if (request.operation !== undefined) observe.answered(request.operation, reply.statusCode, ms)
    if (reply.statusCode >= 400) reply.headers(headersForStatus(reply.statusCode))
    removeConnectionHeaders(request, reply, payload)
    if (cors.vary) addVary(reply, payload, cors.vary)
    if (!request.raw.complete) lingerAfterResponse(request.raw, reply.raw, timeouts)
    if (request.raw.httpVersionMajor === 1) done()
    else paceBody(request, reply, payload, (paced) => done(null, paced))
  })

  refuseUnknownPaths(app, deps)
  mountHealth(app, deps)
  mountRest(app, deps)
  mountRpc(app, deps)
  mountUploads(app, deps)
  mountGit(app, deps)
  mountHooks(app, deps)
  mountForgeHooks(app, deps)
  mountDocs(app, deps, mountDocument(app, deps))
  mountPackages(app)
  mountAuth(app, deps)
  mountHome(app, deps)
  await app.ready()
  return app
}

/** Node joins several fields with commas. */
function forwardedForOf({ headers }: FastifyRequest): string | undefined {
  const field = headers['x-forwarded-for']
  return typeof field === 'string' ? field : field?.join(',')
}

/** A response depends on the credential: no cache in between may keep it. */
function headersOfEveryResponse(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store' }
}

/** If the payload is a Response, as from tRPC's adapter, its headers replace those of the reply. */
function addVary(reply: FastifyReply, payload: unknown, name: string): void {
  if (payload instanceof Response) payload.headers.append('vary', name)
  else reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '))
}

/**
 * Fastify would close the connection right after refusing a body, before the client has read the response;
 * and tRPC would send Transfer-Encoding over HTTP/2, which forbids it (RFC 9113, section 8.2.2).
 */
function removeConnectionHeaders(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  if (request.raw.httpVersionMajor === 1) return
  reply.removeHeader('transfer-encoding')
  if (payload instanceof Response) {
    payload.headers.delete('transfer-encoding')
    payload.headers.delete('connection')
  }
}
