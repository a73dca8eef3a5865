/**
 * Tells of answers many at a time: what counts and logs them is then in the processor's caches for all but the first, and
 * takes a fraction of what it would take between the work on one request and on the next.
 */
import type { EdgeObserver } from './observers.ts'
import type { ServedRequest, ServedResponse } from './served.ts'

export type Batches = {
  observe: EdgeObserver
  /** Tells of those that wait, at once. */
  tell(): void
}

/** Under load they come within milliseconds; more would only keep more answers in memory. */
const batchSize = 64

/** For so long they wait where fewer come. */
const waitMs = 50

/** What calls `observe` for each answer that it is told of, in their order, some of them at a time. */
export function inBatches(observe: EdgeObserver): Batches {
  const waiting: { answered: ServedResponse; asked: () => ServedRequest }[] = []
  let timer: NodeJS.Timeout | undefined

  function tell(): void {
    for (const { answered, asked } of waiting) observe(answered, asked)
    waiting.length = 0
  }

  function tellInTime(): void {
    timer = undefined
    tell()
  }

  return {
    observe(answered, asked) {
      waiting.push({ answered, asked })
      if (waiting.length >= batchSize) tell()
      else if (timer === undefined) timer = setTimeout(tellInTime, waitMs).unref()
    },
    tell,
  }
}
