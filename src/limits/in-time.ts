/** How long a Redis may take to answer. */

/** A request waits this long for it, in milliseconds, before the node decides by itself. */
const answerMs = 250

/** A timer that is late by more tells that this node was busy, and may not have looked at an answer that is there. */
const busyMs = 30

/** Settles as `answer` does. Rejects when it takes too long. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout
    const wait = (): void => {
      const dueMs = performance.now() + answerMs
      timer = setTimeout(() => {
        if (performance.now() - dueMs > busyMs) wait()
        else reject(new Error(`Redis did not answer within ${answerMs} ms.`))
      }, answerMs)
    }
    wait()
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
