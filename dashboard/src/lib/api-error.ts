/** Errors of calls. */

import type { AppRouter } from '@svc-platform/client'
import { TRPCClientError } from '@trpc/client'
import { Refusal } from './refusal'

export type ApiFailure = TRPCClientError<AppRouter>

/** The details of a failed call; `reason` is undefined where no response came. */
export type Problem = {
  message: string
  reason: string | undefined
  requestId: string | undefined
  /** The invalid fields, by path. */
  fields: Map<string, string>
  retryAfterMs: number | undefined
}

/** Whether a call of the client failed with this error. */
export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof TRPCClientError
}

/** The problem in an error of a call. */
export function problemOf(error: unknown): Problem {
  const refusal = refusalIn(error)
  if (refusal) {
    const { message, reason, requestId } = refusal
    return { message, reason, requestId, fields: new Map(), retryAfterMs: undefined }
  }
  const data = isApiFailure(error) ? error.data : undefined
  return {
    message: data ? messageOf(error) : 'The server did not respond. Check your connection.',
    reason: data?.reason,
    requestId: data?.request_id,
    fields: new Map(data?.issues?.map(({ path, message }) => [path, message])),
    retryAfterMs: data?.retry_after_ms,
  }
}

/** Whether everything that is wrong is beside its field, where these paths have one. */
export function isBeside(fields: readonly string[], error: unknown): boolean {
  const wrong = [...problemOf(error).fields.keys()]
  return wrong.length > 0 && wrong.every((path) => fields.includes(path))
}

/** The page's own refusal, also where it ended a call. */
function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  return isApiFailure(error) && error.cause instanceof Refusal ? error.cause : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The status of a response; undefined where none came. */
export function statusOf(error: unknown): number | undefined {
  return isApiFailure(error) ? error.data?.httpStatus : undefined
}

/** Whether a query may succeed when it is repeated: nothing responded, or the server was busy. */
export function isTemporary(error: unknown): boolean {
  if (refusalIn(error)) return false
  const status = statusOf(error)
  return status === undefined || status === 429 || status >= 500
}
