/** The timeout of Redis. */
import { within } from '../async/within.ts'

/** A request waits this long, in milliseconds, before the node decides by itself. */
const answerMs = 250

/** A timer that is later than this indicates that this node was busy, and may not have read an available response. */
const busyMs = 30

/** Settles as `answer` does. Rejects after the timeout. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  const dueMs = performance.now() + answerMs
  return within(answerMs, answer, () => {
    if (performance.now() - dueMs > busyMs) return inTime(answer)
    throw new Error(`Redis did not respond within ${answerMs} ms.`)
  })
}
