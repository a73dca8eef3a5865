/** Interrupts long work, so that whatever else waits has its turn. */

const waiting: (() => void)[] = []
let isScheduled = false

/**
 * Resolves when all that is waiting now has run. Of all long works only one goes on in a turn of the event
 * loop: however many there are, others wait for one piece at a time.
 */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}
