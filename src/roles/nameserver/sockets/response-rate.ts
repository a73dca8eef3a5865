/** Response rate limiting, against reflection attacks with a spoofed source address. */
import { networkOf } from '../../../platform/limits/address-bucket.ts'
import { createMemoryLimiter } from '../../../platform/limits/memory-limiter.ts'

/** The fate of a UDP response: sent, truncated so that the client retries over TCP, or dropped. */
export type Verdict = 'send' | 'truncate' | 'drop'

/** Every second response beyond the rate is truncated, so that real clients get through by TCP. */
const slip = 2

/**
 * A verdict for each response to an address: `perSecond` for one network, 0 for no limit. `now` is a
 * monotonic clock in milliseconds.
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
