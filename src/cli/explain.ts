/** Maps errors to messages for the user. */
import { isTRPCClientError, type TRPCClientError } from '@trpc/client'
import { CommanderError } from 'commander'
import type { AppRouter } from '../client/index.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { Failure, failed, usageFailure } from './failure.ts'

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

/** The Failure for an error. */
export function explain(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return usageFailure(usage(error))
  if (error instanceof Error && error.cause instanceof Failure) return error.cause
  if (isTRPCClientError<AppRouter>(error)) return explainCall(error)
  return failed(sentence(error), error)
}

/**
 * The parser's message without its prefix. It has none for a missing command, where help is printed instead, and takes
 * an unknown one below a group for an argument of the group's `ls`.
 */
function usage({ code, message }: CommanderError): string {
  if (code === 'commander.excessArguments' && message.includes("'ls'")) {
    return 'Unknown command: --help lists the commands.'
  }
  return code === 'commander.help' ? 'Pass one of these commands.' : message.replace(/^error: /, '')
}

function explainCall(error: TRPCClientError<AppRouter>): Failure {
  const { data } = error
  if (!data)
    return failed(`The server sent a response that this version does not understand: ${error.message}`)
  const { code, reason, issues, request_id } = data
  const exitCode = reason === 'invalid_input' ? exitCodes.usage : (codes[code] ?? exitCodes.failure)
  const message =
    code === 'UNAUTHORIZED'
      ? 'The server rejected this API key: run `svc login` with another, or set SVC_TOKEN.'
      : data.message
  return new Failure(exitCode, { code, reason, message, ...(issues && { issues }), request_id }, error)
}

/** The error without the parameters of a query, which the database driver's messages repeat. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('query' in error) return error.cause === undefined ? 'A query failed.' : sentence(error.cause)
  // A connection refused at several addresses has a code but no message.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
