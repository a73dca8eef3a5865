/**
 * Batches the observation of responses: counting and logging many at once benefits from the processor's
 * caches, and takes a fraction of the time per request.
 */
import type { EdgeObserver } from './observers.ts'
import type { ServedRequest, ServedResponse } from './response-observer.ts'

export type Batches = {
  observe: EdgeObserver
  /** Tells of those that wait, at once. */
  flush(): void
}

/** Under load a batch fills within milliseconds; more would only use memory. */
const batchSize = 64

/** The delay of smaller batches. */
const waitMs = 50

/** Calls `observe` for each response in their order, in batches. */
export function inBatches(observe: EdgeObserver): Batches {
  const waiting: { answered: ServedResponse; request: () => ServedRequest }[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    for (const { answered, request } of waiting) observe(answered, request)
    waiting.length = 0
  }

  function flushInTime(): void {
    timer = undefined
    flush()
  }

  return {
    observe(answered, request) {
      waiting.push({ answered, request })
      if (waiting.length >= batchSize) flush()
      else if (timer === undefined) timer = setTimeout(flushInTime, waitMs).unref()
    },
    flush,
  }
}
