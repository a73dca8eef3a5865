/** Writes one line for each request: what was asked, by whom, and how it was answered. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../auth/principal.ts'
import type { Logger } from '../../log/logger.ts'
import { redactPath } from '../../log/redact-secrets.ts'

/** Logs a request as its answer is sent, `ms` after it came; the query string is left out, since it may hold secrets. */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { url, principal } = request
  const end = url.indexOf('?')
  log.infoLine({
    request_id: request.id,
    method: request.method,
    path: redactPath(end === -1 ? url : url.slice(0, end)),
    status: reply.statusCode,
    ms: Math.round(ms * 100) / 100,
    address: request.address,
    team: principal?.teamId,
    ...identifiersOf(principal),
  })
}

/** What names the credential, and never is it. */
function identifiersOf(principal: Principal | null): Record<string, string | undefined> {
  switch (principal?.kind) {
    case 'key':
      return { key: principal.keyId }
    case 'jwt':
      return {
        jti: principal.jti,
        key: principal.keyId ?? undefined,
        session: principal.sessionId ?? undefined,
      }
    case 'session':
      return { session: principal.sessionId }
    case undefined:
      return {}
  }
}
