/** Error responses of the API. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import { errorBody, statusOf, toAppError } from '../../trpc/error-body.ts'

/** Sends the error response. */
export function sendError(
  log: Logger,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { error, status } = refusalOf(log, thrown, request)
  setRetryAfter(reply, error)
  return reply.code(status).send(errorBody(error, request.id))
}

/** Sets Retry-After, unless the rate limiter already has (RFC 9110, section 10.2.3). */
export function setRetryAfter(reply: FastifyReply, { retryAfterMs }: AppError): void {
  if (retryAfterMs === undefined || reply.hasHeader('retry-after')) return
  reply.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)))
}

/** The AppError and its status; internal errors are logged with their cause. */
export function refusalOf(
  log: Logger,
  thrown: unknown,
  request: FastifyRequest,
): { error: AppError; status: number } {
  const error = fromFastify(thrown) ?? toAppError(thrown)
  const status = statusOf(error)
  if (status >= 500) logFault(log, error, { request_id: request.id, reason: error.reason })
  return { error, status }
}

/**
 * Logs an error that isn't the client's, with its cause; where the disk is full, each request that is refused
 * has a line alone, since an alert tells the rest.
 */
export function logFault(log: Pick<Logger, 'error'>, error: AppError, fields: object): void {
  const isTold = error.reason === 'disk_full'
  log.error({ ...fields, ...(!isTold && { err: error.cause ?? error }) }, error.message)
}

/** Fastify's own errors; their messages reveal nothing internal. */
function fromFastify(thrown: unknown): AppError | undefined {
  if (!isFastifyError(thrown) || thrown.statusCode === undefined || thrown.statusCode >= 500) return undefined
  const reason = thrown.statusCode === 415 ? 'unsupported_content_type' : 'malformed_request'
  return new AppError(reason, thrown.message, { cause: thrown })
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    thrown.code.startsWith('FST_ERR_')
  )
}

/** Headers that a status requires: how to authenticate (RFC 6750), when to retry. */
export function headersForStatus(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer' }
  if (status === 503) return { 'retry-after': '1' }
  return {}
}
