/** Mounts every procedure with OpenAPI meta as a route of its own. */
import type { FastifyInstance } from 'fastify'
import {
  authenticateAgainHook,
  authenticateHook,
  contextOf,
  enforceHook,
  identifyHook,
} from '../caller/request-state.ts'
import type { ServerDeps } from '../deps.ts'
import { type RestProcedure, restProcedures } from './procedures.ts'
import { type RestRoute, restInputReader } from './rest-input.ts'
import { acceptZip, inputWithZip } from './zip-bodies.ts'

/** Adds REST to `app`: one route per procedure, with the same input, output, middleware and errors as RPC. */
export function mountRest(app: FastifyInstance, deps: ServerDeps): void {
  for (const procedure of restProcedures()) {
    if (procedure.takesZip) {
      app.register(async (scope) => {
        acceptZip(scope, deps)
        mountProcedure(scope, deps, procedure)
      })
    } else mountProcedure(app, deps, procedure)
  }
}

function mountProcedure(app: FastifyInstance, deps: ServerDeps, procedure: RestProcedure): void {
  const { name, type, method, url, input, call } = procedure
  const readInput = restInputReader(input, method === 'POST' || method === 'PUT')
  // Read-only calls accept any credential.
  const enforce = type === 'query' ? [] : [enforceHook(deps, () => ({ name, type }))]
  const afterBody =
    type === 'query' ? [] : [identifyHook(deps, ({ body }) => body), authenticateAgainHook(deps)]
  app.route<RestRoute>({
    method,
    url,
    onRequest: [authenticateHook(deps, () => name), ...enforce],
    preHandler: afterBody,
    handler: (request, reply) => {
      const { zip, query } = request
      const input = zip ? inputWithZip(zip.files, query) : readInput(request)
      return call(contextOf(deps, request, reply), input)
    },
  })
}
