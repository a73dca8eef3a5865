/** The one place that maps errors to responses. */
import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { z } from 'zod'
import { AppError, errorCodes, type Issue, reasonNames } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import { missingUploadSchema } from '../../platform/deployments/deployment-output.ts'
import { diskFull } from '../../stores/data-dir/disk-reserve.ts'
import { isDiskFull, isUnavailable } from '../../stores/db/failures.ts'

/** The body of every error: in REST the body itself, in RPC under `data`. */
export const errorBodySchema = z.object({
  code: z.enum(errorCodes).meta({ description: 'The class of the error' }),
  reason: z.enum(reasonNames).meta({ description: 'What happened, for programs' }),
  message: z.string().meta({ description: 'What to do, for people' }),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'With invalid_input: each invalid field' }),
  missing: z
    .array(missingUploadSchema)
    .optional()
    .meta({ description: 'With files_missing: the upload URL of each blob' }),
  retry_after_ms: z.int().optional().meta({ description: 'With 429: retry after this many milliseconds' }),
  request_id: z.string().meta({ description: 'The x-request-id of the response' }),
})

export type ErrorBody = z.infer<typeof errorBodySchema>

/** The most issues in one response. */
const maxIssues = 50

/** The AppError in an error; any other error becomes `internal_error` with that error as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof TRPCError) return fromTrpc(error)
  if (isDiskFull(error)) return diskFull(error)
  if (isUnavailable(error)) {
    return new AppError(
      'store_unavailable',
      'The database is unavailable or overloaded. Try again in a moment.',
      {
        cause: error,
      },
    )
  }
  return new AppError('internal_error', 'Internal error. Give the operator the request_id.', {
    cause: error,
  })
}

function fromTrpc(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof AppError) return cause
  switch (error.code) {
    case 'BAD_REQUEST':
    case 'PARSE_ERROR':
      if (cause instanceof z.ZodError) return invalidInput(cause)
      // tRPC's own errors, such as for a batch that mixes queries and mutations.
      if (!cause) return new AppError('malformed_request', `${error.message}.`, { cause: error })
      return new AppError('malformed_json', 'The input is not valid JSON.', { cause: error })
    case 'NOT_FOUND':
      return new AppError('unknown_path', 'Unknown procedure.', { cause: error })
    case 'METHOD_NOT_SUPPORTED':
      return new AppError('method_not_allowed', 'Queries are GET, mutations are POST.', { cause: error })
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new AppError('unsupported_content_type', 'Send the input as application/json.', { cause: error })
    case 'PAYLOAD_TOO_LARGE':
      return new AppError('body_too_large', 'The body is too large.', { cause: error })
    default:
      return toAppError(cause ?? new Error(error.message))
  }
}

/** A `TRPCError` with the same code, so that tRPC responds with the right status. */
export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({ code: error.code, message: error.message, cause: error })
}

/** The HTTP status of an error. */
export function statusOf(error: AppError): number {
  return getHTTPStatusCodeFromError(toTrpcError(error))
}

/** The response body of an error. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  return {
    code: error.code,
    reason: error.reason,
    message: error.message,
    ...(error.issues && { issues: error.issues }),
    ...(error.missing && { missing: error.missing }),
    ...(error.retryAfterMs !== undefined && { retry_after_ms: error.retryAfterMs }),
    request_id: requestId,
  }
}

/**
 * The AppError for everything that a schema found wrong in `input`. Of a list of files its messages name the
 * file: nobody counts them.
 */
export function invalidInput(error: z.ZodError, input?: unknown): AppError {
  // Of the first ones only: there may be tens of thousands.
  const found = error.issues
    .slice(0, maxIssues)
    .flatMap(toIssues)
    .slice(0, maxIssues)
    .map((issue) => nameFile(issue, input))
  const [first] = found
  const issues = found.map(({ path, message }) => ({ path, message }))
  return new AppError('invalid_input', first?.sentence ?? 'The input is invalid.', { issues, cause: error })
}

type FoundIssue = { at: string[]; message: string }

function toIssues(issue: z.core.$ZodIssue): FoundIssue[] {
  const at = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxIssues).map((key) => ({ at: [...at, key], message: 'unknown field' }))
  }
  return [{ at, message: issue.message }]
}

/** The issue, and what says it alone. */
function nameFile({ at, message }: FoundIssue, input: unknown): Issue & { sentence: string } {
  const path = at.join('.')
  const [list = '', index = '', ...fields] = at
  const items = isRecord(input) ? input[list] : undefined
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined
  if (!isRecord(item) || typeof item['path'] !== 'string' || fields.length === 0)
    return { path, message, sentence: path === '' ? message : `${path}: ${message}` }
  const named = `${spelledOut(item['path'])}: ${fields.join('.')}: ${message}`
  return { path, message: named, sentence: named }
}
