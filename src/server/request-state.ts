/** What is known of a request before its body is read: who is calling, and the signal that ends it. */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCredential } from '../auth/credential.ts'
import { type Called, checkCredentialKind } from '../auth/enforcement.ts'
import type { Principal } from '../auth/principal.ts'
import { checkOrigin } from '../auth/session-cookie.ts'
import type { Context } from '../trpc/context.ts'
import { withinDeadline } from '../trpc/deadline.ts'
import type { ServerDeps } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    /** When it came, by a clock that never jumps, in milliseconds. */
    startedMs: number
  }
}

/** Gives every request of `app` a place for what is known of it. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('startedMs', 0)
}

/**
 * A hook that authenticates from the headers alone.
 * @throws AppError `unauthorized`, `token_malformed`, `origin_not_allowed`, `team_not_found`, `store_unavailable`.
 */
export function authenticateHook({ principals, services }: ServerDeps) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { method, headers } = request
    const { credential, byCookie } = readCredential(headers, services.apiUrl)
    if (byCookie) checkOrigin(method, headers, services.apiUrl)
    const principal = principals.authenticate(credential, headers['x-svc-team']?.toString())
    const admit = (known: Principal): void => {
      request.principal = known
      done()
    }
    if (principal instanceof Promise) withinDeadline(principal).then(admit, done)
    else admit(principal)
  }
}

/**
 * A hook, for after the other, that refuses a credential of the wrong kind before the body is read. `calledBy` is the one
 * procedure that a request calls, as far as its headers tell.
 * @throws AppError `jwt_required`, `jwt_cannot_mint`.
 */
export function enforceHook<R extends FastifyRequest>(
  { services: { jwts } }: ServerDeps,
  calledBy: (request: R) => Called | undefined,
) {
  return (request: R, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const called = calledBy(request)
    if (called && request.principal) {
      checkCredentialKind(called, request.principal.kind, jwts !== undefined)
    }
    done()
  }
}

/** The context of a procedure call for a request that was authenticated. */
export function contextOf(
  { services, stopping }: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Context {
  const { principal } = request
  if (!principal) throw new Error('A procedure was called before the request was authenticated.')
  let signal: AbortSignal | undefined
  return {
    services,
    principal,
    requestId: request.id,
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    remember: undefined,
    // Most calls never look at it, and making one costs more than the rest of the context.
    get signal() {
      signal ??= endSignal(stopping, reply.raw)
      return signal
    },
  }
}

/** Leaves nothing behind on what outlives the request: the connection, and `stopping` (as `AbortSignal.any` would). */
function endSignal(stopping: AbortSignal, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (stopping.aborted || response.destroyed) end()
  const { socket } = response
  stopping.addEventListener('abort', end)
  // A client that only closes its side still gets an answer, but nothing is waited for any more.
  socket?.once('end', end)
  response.once('close', () => {
    stopping.removeEventListener('abort', end)
    socket?.off('end', end)
    end()
  })
  return controller.signal
}
