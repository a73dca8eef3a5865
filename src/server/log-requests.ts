/** Writes one line for each request: what was asked, by whom, and how it ended. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../log.ts'

/** Logs every request of `app` once it has been answered; query strings are left out, since they may hold secrets. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request
    const end = url.indexOf('?')
    log.info({
      request_id: request.id,
      method: request.method,
      path: end === -1 ? url : url.slice(0, end),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      team: request.principal?.teamId,
      key: request.principal?.keyId,
    })
    done()
  })
}
