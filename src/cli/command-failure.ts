/** An expected end of a command: the message and the exit code. */
import type { Reason } from '../lib/errors.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** The error: the server's, or the command's own. */
export type FailureBody = {
  /** For programs: the server's reason, or one of the command's own. */
  reason:
    | Reason
    | 'usage'
    | 'not_logged_in'
    | 'server_away'
    | 'node_not_installed'
    | 'not_ready'
    | 'no_rollback'
    | 'read_only'
    | 'remote_exists'
    | 'variable_not_found'
    | 'interrupted'
    | 'build_failed'
    | 'build_timeout'
    | 'build_out_of_memory'
    | 'start_failed'
    | 'release_failed'
    | 'worker_lost'
    | 'queue_timeout'
    | 'canceled'
    | 'failed'
  /** For people: one or two sentences that say what to do. */
  message: string
  /** The subjects of the message, one on each line. */
  items?: string[]
  code?: string
  issues?: { path: string; message: string }[] | undefined
  request_id?: string
}

/** Thrown to end the command with a message and an exit code. Never contains a token. */
export class Failure extends Error {
  readonly body: FailureBody
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, body: FailureBody, cause?: unknown) {
    super(body.message, { cause })
    this.body = body
    this.exitCode = exitCode
  }
}

/** Wrong usage, or invalid input; `items` are printed below the message. */
export function usageFailure(message: string, items: string[] = []): Failure {
  return new Failure(exitCodes.usage, { reason: 'usage', message, ...(items.length > 0 && { items }) })
}

/** A failure without an exit code of its own. */
export function failed(message: string, cause?: unknown): Failure {
  return new Failure(exitCodes.failure, { reason: 'failed', message }, cause)
}

/** The user pressed Ctrl-C. */
export function interrupted(): Failure {
  return new Failure(exitCodes.interrupted, { reason: 'interrupted', message: 'Interrupted.' })
}
