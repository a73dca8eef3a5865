/** No call goes on forever: past its deadline the caller is told, whatever it waits for. */
import { AppError } from '../errors.ts'

/** Longer than any wait that a caller may ask for, and than a store's own time limits. */
const deadlineMs = 60_000

/** Settles as `work` does. @throws AppError `store_unavailable` when that takes longer than a minute. */
export async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message =
        'This took too long and was given up; it may still take effect. Look before you try again.'
      reject(new AppError('store_unavailable', message))
    }, deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
