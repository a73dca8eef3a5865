/** The error of a blob store that fails. */
import { AppError } from '../../lib/errors.ts'

/** An AppError `store_unavailable` caused by `cause`. */
export function storeUnavailable(cause: unknown): AppError {
  const message = 'The blob store is unavailable. Nothing was stored; try again later.'
  return new AppError('store_unavailable', message, { cause })
}
