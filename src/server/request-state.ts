/** What is known of a request before its body is read: who is calling, and the signal that ends it. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principal.ts'
import type { Context } from '../trpc/context.ts'
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

/** A hook that authenticates from the headers alone. @throws AppError `unauthorized`, `token_malformed`. */
export function authenticateHook({ principals }: ServerDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    request.principal = await principals.authenticate(request.headers.authorization)
  }
}

/** The context of a procedure call for a request that was authenticated. */
export function contextOf({ services, stopping }: ServerDeps, request: FastifyRequest): Context {
  const { principal } = request
  if (!principal) throw new Error('A procedure was called before the request was authenticated.')
  let signal: AbortSignal | undefined
  return {
    services,
    principal,
    requestId: request.id,
    // Most calls never look at it, and making one costs more than the rest of the context.
    get signal() {
      signal ??= AbortSignal.any([stopping, closedSignal(request)])
      return signal
    },
  }
}

function closedSignal(request: FastifyRequest): AbortSignal {
  const controller = new AbortController()
  request.raw.socket.once('close', () => controller.abort())
  return controller.signal
}
