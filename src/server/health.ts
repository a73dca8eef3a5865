/** `/healthz` tells that the process lives, `/readyz` that its stores answer. */
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { version } from '../version.ts'
import type { ServerDeps } from './deps.ts'
import { countAs } from './request-state.ts'

/** How long a store may take before it counts as away. */
const timeoutMs = 2_000

/** Adds both routes; they need no credential. */
export function mountHealth(app: FastifyInstance, { services, limits, log, stopping }: ServerDeps): void {
  const onRequest = countAs('health')
  app.get('/healthz', { onRequest }, async () => ({ ok: true }))
  app.get('/readyz', { onRequest }, async (request, reply) => {
    const { store } = services
    const [queries, lookUps, blobs] = await Promise.all([
      answers(() => store.db.execute(sql`select 1`)),
      answers(() => store.lookUps.execute(sql`select 1`)),
      answers(() => services.blobs.check()),
    ])
    const database = queries && lookUps
    const ready = database && blobs && !stopping.aborted
    if (!ready) {
      const state = { database, blobs, stopping: stopping.aborted }
      log.warn({ request_id: request.id, ...state }, 'This node is not ready.')
    }
    // Without the Redis of its limits a node has limits of its own: it stays ready.
    const told = { ready, database, blobs, limits: limits.state(), stopping: stopping.aborted, version }
    return reply.code(ready ? 200 : 503).send(told)
  })
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const answered = ask().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
