/** The error of a blob store that fails. */
import { AppError } from '../../lib/errors.ts'

/** An AppError `store_unavailable` caused by `cause`. */
export function storeUnavailable(cause: unknown, message = 'The blob store is unavailable.'): AppError {
  return new AppError('store_unavailable', `${message} Nothing was stored; try again later.`, { cause })
}
