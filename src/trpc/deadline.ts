/** No call goes on forever: past its deadline it is refused, whatever it waits for. */
import { within } from '../async/within.ts'
import { AppError } from '../errors.ts'

/** Longer than any wait that a caller may ask for, and than a store's own time limits. */
const deadlineMs = 60_000

/** Settles as `work` does. @throws AppError `store_unavailable` when that takes longer than a minute. */
export function withinDeadline<T>(work: Promise<T>): Promise<T> {
  return within(deadlineMs, work, () => {
    const message =
      'This took too long and was given up; it may still take effect. Look before you try again.'
    throw new AppError('store_unavailable', message)
  })
}
