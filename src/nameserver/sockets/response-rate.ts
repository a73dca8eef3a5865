/** Keeps the name server from being used to flood somebody whose address stands as the sender of questions. */
import { networkOf } from '../../limits/address.ts'
import { createMemoryLimiter } from '../../limits/memory-limiter.ts'

/** What becomes of an answer by UDP: it is sent, replaced by an empty one that says to come by TCP, or dropped. */
export type Verdict = 'send' | 'truncate' | 'drop'

/** Of the answers beyond the rate every second one is truncated, so that a real client gets through by TCP. */
const slip = 2

/**
 * A verdict for each answer to an address: `perSecond` of them to one network, 0 for no limit. `now` tells milliseconds of
 * a clock that never jumps.
 */
export function createResponseRate(perSecond: number, now: () => number): (address: string) => Verdict {
  if (perSecond === 0) return () => 'send'
  const limiter = createMemoryLimiter({ perSecond, burst: perSecond }, now)
  let limited = 0
  return (address) => {
    if (limiter.draw(networkOf(address), 1).allowed) return 'send'
    limited += 1
    return limited % slip === 0 ? 'truncate' : 'drop'
  }
}
