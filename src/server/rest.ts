/** Mounts every procedure that has OpenAPI meta as a route of its own. */
import { callTRPCProcedure } from '@trpc/server'
import type { FastifyInstance } from 'fastify'
import { appRouter } from '../routers/index.ts'
import type { ServerDeps } from './deps.ts'
import { restProcedures } from './procedures.ts'
import { authenticateHook, contextOf } from './request-state.ts'
import { restInputReader } from './rest-input.ts'

/** Adds the REST surface to `app`: one route a procedure, with the same input, output, middleware and errors as in RPC. */
export function mountRest(app: FastifyInstance, deps: ServerDeps): void {
  const authenticate = authenticateHook(deps)
  for (const { name, type, method, url, input } of restProcedures()) {
    const readInput = restInputReader(input, method === 'POST' || method === 'PUT')
    app.route({
      method,
      url,
      onRequest: authenticate,
      handler: (request, reply) => {
        const ctx = contextOf(deps, request, reply)
        const given = readInput(request)
        return callTRPCProcedure({
          router: appRouter,
          path: name,
          type,
          ctx,
          getRawInput: async () => given,
          signal: undefined,
          batchIndex: 0,
        })
      },
    })
  }
}
