/** Maps errors to messages for the user. */
import { isTRPCClientError, type TRPCClientError } from '@trpc/client'
import { CommanderError } from 'commander'
import type { AppRouter } from '../api/client/index.ts'
import { Failure, failed, usageFailure } from './command-failure.ts'
import { answeredStatus } from './connection/answered-status.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** The exit code of each class of server errors; others are plain failures. */
const codes: Partial<Record<string, ExitCode>> = {
  UNAUTHORIZED: exitCodes.notAllowed,
  FORBIDDEN: exitCodes.notAllowed,
  NOT_FOUND: exitCodes.notFound,
  CONFLICT: exitCodes.conflict,
  TIMEOUT: exitCodes.unavailable,
  TOO_MANY_REQUESTS: exitCodes.unavailable,
  SERVICE_UNAVAILABLE: exitCodes.unavailable,
}

/**
 * By name: their classes are the node's own, which few commands load. They name several things, one on each
 * line.
 */
const severalLines = new Set(['SettingsError', 'BackupError'])

/** The Failure for an error. */
export function explain(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return usage(error)
  if (error instanceof Error && error.cause instanceof Failure) return error.cause
  if (isTRPCClientError<AppRouter>(error)) return explainCall(error)
  const message = sentence(error)
  if (!(error instanceof Error && severalLines.has(error.name))) return failed(message, error)
  const [first = '', ...items] = message.split('\n')
  return new Failure(
    exitCodes.failure,
    { reason: 'failed', message: first, ...(items.length > 0 && { items }) },
    error,
  )
}

/**
 * The parser's message without its prefix, its recommendation apart. It has no message for a missing command,
 * where help is printed instead.
 */
function usage({ code, message }: CommanderError): Failure {
  if (code === 'commander.help') return usageFailure('Pass one of these commands.')
  const [, said = message, hint] = /^(.*)\n(\(Did you mean .*\?\))$/.exec(message) ?? []
  return usageFailure(said.replace(/^error: /, ''), hint === undefined ? [] : [hint])
}

function explainCall(error: TRPCClientError<AppRouter>): Failure {
  const { data } = error
  if (!data) return failed(notUnderstood(error))
  const { code, reason, issues, request_id } = data
  const exitCode = reason === 'invalid_input' ? exitCodes.usage : (codes[code] ?? exitCodes.failure)
  const message =
    code === 'UNAUTHORIZED'
      ? 'The server rejected this API key: run `svc login` with another, or set SVC_TOKEN.'
      : data.message
  return new Failure(exitCode, { code, reason, message, ...(issues && { issues }), request_id }, error)
}

function notUnderstood(error: TRPCClientError<AppRouter>): string {
  const status = answeredStatus(error) ?? 0
  return status < 400
    ? `The server sent a response that this version does not understand: ${error.message}`
    : `The server answered ${status} with JSON that is no svc API's: is something in front of it?`
}

/** The error without the parameters of a query, which the database driver's messages repeat. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('query' in error) return error.cause === undefined ? ofDatabase(error) : sentence(error.cause)
  // A connection refused at several addresses has a code but no message.
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/**
 * The classes of SQLSTATE that are about the server, as a full disk is, and never about a query's values
 * (PostgreSQL's documentation, appendix A).
 */
const aboutServer = /^(?:08|53|57|58)...$/

function ofDatabase(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (aboutServer.test(code)) return `The database failed: ${error.message} (SQLSTATE ${code}).`
  return code === '' ? 'A query failed.' : `A query failed (SQLSTATE ${code}).`
}
