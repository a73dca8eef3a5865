/** Writes one log line per request. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../../lib/log/logger.ts'
import { redactPath } from '../../../lib/log/redact-secrets.ts'
import type { Principal } from '../../../platform/callers/principal.ts'

/**
 * Logs a request when its response is sent, `ms` after it came; without the query string, which may contain
 * secrets.
 */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { url, principal } = request
  const end = url.indexOf('?')
  log.infoLine({
    request_id: request.id,
    method: request.method,
    host: redactPath(request.host),
    path: redactPath(end === -1 ? url : url.slice(0, end)),
    status: reply.statusCode,
    ms: Math.round(ms * 100) / 100,
    address: request.address,
    team: principal?.teamId,
    ...identifiersOf(principal),
  })
}

/** The id of the credential, never the credential. */
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
    case 'workload':
      return { trust: principal.policyId }
    case undefined:
      return {}
  }
}
