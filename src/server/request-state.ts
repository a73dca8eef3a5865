/** What is known of a request before its body is read: who is calling, and the signal that ends it. */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principal.ts'
import type { Context } from '../trpc/context.ts'
import { withinDeadline } from '../trpc/deadline.ts'
import type { ServerDeps } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** Gives every request of `app` a place for its principal. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('principal', null)
}

/**
 * A hook that authenticates from the headers alone.
 * @throws AppError `unauthorized`, `token_malformed`, `store_unavailable`.
 */
export function authenticateHook({ principals }: ServerDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    request.principal = await withinDeadline(principals.authenticate(request.headers.authorization))
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
  stopping.addEventListener('abort', end)
  response.once('close', () => {
    stopping.removeEventListener('abort', end)
    end()
  })
  return controller.signal
}
