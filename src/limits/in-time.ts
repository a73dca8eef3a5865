/** How long a Redis may take to answer. */
import { within } from '../async/within.ts'

/** A request waits this long for it, in milliseconds, before the node decides by itself. */
const answerMs = 250

/** A timer that is late by more tells that this node was busy, and may not have looked at an answer that is there. */
const busyMs = 30

/** Settles as `answer` does. Rejects when it takes too long. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  const dueMs = performance.now() + answerMs
  return within(answerMs, answer, () => {
    if (performance.now() - dueMs > busyMs) return inTime(answer)
    throw new Error(`Redis did not answer within ${answerMs} ms.`)
  })
}
