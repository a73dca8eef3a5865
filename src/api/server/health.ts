/** `/healthz`: the process lives; `/readyz`: the node is ready to serve. */
import type { FastifyInstance } from 'fastify'
import { publicReadiness } from '../../platform/observability/readiness.ts'
import { countAs } from './caller/request-state.ts'
import type { ServerDeps } from './deps.ts'

/** Adds both routes; they need no credential. */
export function mountHealth(app: FastifyInstance, { readiness }: ServerDeps): void {
  const onRequest = countAs('health')
  app.get('/healthz', { onRequest }, async () => ({ ok: true }))
  app.get('/readyz', { onRequest }, async (_request, reply) => {
    const found = publicReadiness(await readiness())
    return reply.code(found.ready ? 200 : 503).send(found)
  })
}
