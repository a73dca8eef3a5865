/** The deadline of every call: past it the caller gets an error, whatever the call waits for. */
import { within } from '../../lib/async/within.ts'
import { AppError } from '../../lib/errors.ts'

/** Longer than the longest `wait_s`, and than the time limits of the stores. */
const deadlineMs = 60_000

/** Settles as `work` does. @throws AppError `store_unavailable` when that takes longer than a minute. */
export function withinDeadline<T>(work: Promise<T>): Promise<T> {
  return within(deadlineMs, work, () => {
    const message = 'The request timed out; it may still take effect. Check before you try again.'
    throw new AppError('store_unavailable', message)
  })
}
