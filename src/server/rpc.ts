/** Mounts the typed RPC at `/trpc`. */
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { appRouter } from '../routers/index.ts'
import { errorBody, statusOf, toAppError } from '../trpc/error-body.ts'
import type { ServerDeps } from './deps.ts'
import { authenticateHook, contextOf } from './request-state.ts'

/** Adds `/trpc/<procedure>` to `app`, in the wire format of tRPC's own clients. */
export function mountRpc(app: FastifyInstance, deps: ServerDeps): void {
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'POST'],
    url: '/trpc/*',
    exposeHeadRoute: false,
    onRequest: authenticateHook(deps),
    // A refusal before tRPC is reached has to look to its clients as if it came from there.
    errorHandler: (thrown, request, reply) => {
      const error = toAppError(thrown)
      const status = statusOf(error)
      const data = { ...errorBody(error, request.id), httpStatus: status }
      return reply.code(status).send({ error: { message: error.message, code: -32_600, data } })
    },
    handler: async (request, reply) => {
      // Fastify has parsed the body; tRPC's adapter wants its text.
      if (request.body !== undefined) request.body = JSON.stringify(request.body)
      await fastifyRequestHandler({
        router: appRouter,
        req: request,
        res: reply,
        path: request.params['*'],
        createContext: async () => contextOf(deps, request),
        onError: ({ error, path }) => {
          const refusal = toAppError(error)
          if (statusOf(refusal) < 500) return
          deps.log.error({ request_id: request.id, path, err: refusal.cause ?? error }, refusal.message)
        },
      })
    },
  })
}
