/** Mounts every procedure with OpenAPI meta as a route of its own. */
import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from '../deps.ts'
import { authenticateAgainHook, authenticateHook, contextOf, enforceHook } from '../request-state.ts'
import { restProcedures } from './procedures.ts'
import { type RestRoute, restInputReader } from './rest-input.ts'

/** Adds REST to `app`: one route per procedure, with the same input, output, middleware and errors as RPC. */
export function mountRest(app: FastifyInstance, deps: ServerDeps): void {
  for (const { name, type, method, url, input, call } of restProcedures()) {
    const readInput = restInputReader(input, method === 'POST' || method === 'PUT')
    // Read-only calls accept any credential.
    const enforce = type === 'query' ? [] : [enforceHook(deps, () => ({ name, type }))]
    const afterBody = type === 'query' ? [] : [authenticateAgainHook(deps)]
    app.route<RestRoute>({
      method,
      url,
      onRequest: [authenticateHook(deps, () => name), ...enforce],
      preHandler: afterBody,
      handler: (request, reply) => call(contextOf(deps, request, reply), readInput(request)),
    })
  }
}
