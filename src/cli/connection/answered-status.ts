/** The status with which a call failed. */
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../api/client/index.ts'
import { causesOf, ForeignResponse, isResponseHead } from '../../api/client/retry-after.ts'

/** The status of the answer, whoever sent it; undefined where none came. */
export function answeredStatus(error: unknown): number | undefined {
  if (!isTRPCClientError<AppRouter>(error)) return undefined
  if (error.data) return error.data.httpStatus
  const response = error.meta?.response
  if (isResponseHead(response)) return response.status
  return causesOf(error).find((cause) => cause instanceof ForeignResponse)?.status
}
