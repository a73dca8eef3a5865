/** No call goes on forever: past its deadline the caller is told, whatever it waits for. */
import { AppError } from '../errors.ts'

/** Longer than any wait that a caller may ask for, and than a store's own time limits. */
const deadlineMs = 60_000

/** How often the calls under way are looked at: a timer for each would cost every call more than it is worth. */
const checkMs = 1_000

type Call = { untilMs: number; giveUp: (error: AppError) => void }

const underWay = new Set<Call>()
let timer: NodeJS.Timeout | undefined

/** Settles as `work` does. @throws AppError `store_unavailable` when that takes longer than a minute. */
export function withinDeadline<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = { untilMs: performance.now() + deadlineMs, giveUp: reject }
    underWay.add(call)
    timer ??= setInterval(giveUpLateCalls, checkMs).unref()
    work.then(
      (value) => {
        underWay.delete(call)
        resolve(value)
      },
      (error: unknown) => {
        underWay.delete(call)
        reject(error)
      },
    )
  })
}

function giveUpLateCalls(): void {
  if (underWay.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
  const nowMs = performance.now()
  for (const call of underWay) {
    // In the order in which they began, so that the first one in time ends the look.
    if (call.untilMs > nowMs) return
    underWay.delete(call)
    const message =
      'This took too long and was given up; it may still take effect. Look before you try again.'
    call.giveUp(new AppError('store_unavailable', message))
  }
}
