/** Turns whatever ended a command into what its user is told. */
import { isTRPCClientError, type TRPCClientError } from '@trpc/client'
import { CommanderError } from 'commander'
import type { AppRouter } from '../client/index.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { Failure, failed, usageFailure } from './failure.ts'

/** The exit code of each class of the server's errors; what isn't here is a plain failure. */
const codes: Partial<Record<string, ExitCode>> = {
  UNAUTHORIZED: exitCodes.notAllowed,
  FORBIDDEN: exitCodes.notAllowed,
  NOT_FOUND: exitCodes.notFound,
  CONFLICT: exitCodes.conflict,
  TIMEOUT: exitCodes.unavailable,
  TOO_MANY_REQUESTS: exitCodes.unavailable,
  SERVICE_UNAVAILABLE: exitCodes.unavailable,
}

/** The failure in what was thrown. */
export function explain(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return usageFailure(usage(error))
  if (error instanceof Error && error.cause instanceof Failure) return error.cause
  if (isTRPCClientError<AppRouter>(error)) return explainCall(error)
  return failed(sentence(error), error)
}

/**
 * The parser's words without its own prefix. It has none where a command is missing or unknown and help is shown instead,
 * and takes an unknown one below a group for an argument of the group's `ls`.
 */
function usage({ code, message }: CommanderError): string {
  if (code === 'commander.excessArguments' && message.includes("'ls'")) {
    return 'There is no such command: --help lists those there are.'
  }
  return code === 'commander.help' ? 'Name one of these commands.' : message.replace(/^error: /, '')
}

function explainCall(error: TRPCClientError<AppRouter>): Failure {
  const { data } = error
  if (!data)
    return failed(`The server gave an answer that this version does not understand: ${error.message}`)
  const { code, reason, issues, request_id } = data
  const exitCode = reason === 'invalid_input' ? exitCodes.usage : (codes[code] ?? exitCodes.failure)
  const message =
    code === 'UNAUTHORIZED'
      ? 'The server does not take this API key: run `svc login` with another, or set SVC_TOKEN.'
      : data.message
  return new Failure(exitCode, { code, reason, message, ...(issues && { issues }), request_id }, error)
}

/** What went wrong, without the values that a query was given, which the database driver's messages repeat. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('query' in error) return error.cause === undefined ? 'A query failed.' : sentence(error.cause)
  // A connection refused at several addresses has a code and no message.
  return error.message || ('code' in error ? String(error.code) : error.name)
}
