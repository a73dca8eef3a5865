/** Mounts the typed RPC at `/trpc`. */
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { appRouter } from '../routers/index.ts'
import { errorBody, statusOf, toAppError } from '../trpc/error-body.ts'
import type { ServerDeps } from './deps.ts'
import { refusalOf } from './errors.ts'
import { acceptOnlyJson } from './json-body.ts'
import { authenticateHook, contextOf } from './request-state.ts'

/** As many calls as one request may carry; the client in `index.ts` keeps to it. */
const maxBatchSize = 100

/** Adds `/trpc/<procedure>` to `app`, in the wire format of tRPC's own clients. */
export function mountRpc(app: FastifyInstance, deps: ServerDeps): void {
  app.register(async (scope) => {
    // tRPC parses the text; a value that was parsed and written again would not be the same (1e400 becomes null).
    acceptOnlyJson(scope, { maxJsonBytes: deps.maxJsonBytes, bodyTimeoutMs: deps.timeouts.bodyMs }, 'text')
    scope.route<{ Params: { '*': string } }>({
      method: ['GET', 'POST'],
      url: '/trpc/*',
      exposeHeadRoute: false,
      onRequest: authenticateHook(deps),
      // A refusal before tRPC is reached has to look to its clients as if it came from there.
      errorHandler: (thrown, request, reply) => {
        const { error, status } = refusalOf(deps.log, thrown, request)
        const data = { ...errorBody(error, request.id), httpStatus: status }
        return reply.code(status).send({ error: { message: error.message, code: -32_600, data } })
      },
      handler: (request, reply) =>
        fastifyRequestHandler({
          router: appRouter,
          req: request,
          res: reply,
          path: request.params['*'],
          maxBatchSize,
          createContext: async () => contextOf(deps, request, reply),
          onError: ({ error, path, ctx }) => {
            // Refused before there was a context, from which its answer would take the request_id: ours has it.
            if (!ctx) throw error
            const refusal = toAppError(error)
            if (statusOf(refusal) < 500) return
            deps.log.error({ request_id: request.id, path, err: refusal.cause ?? error }, refusal.message)
          },
        }),
    })
  })
}
