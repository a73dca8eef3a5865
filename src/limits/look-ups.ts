/** Look-ups for callers that nobody knows: as many at a time as their address may still make in vain. */
import { AppError } from '../errors.ts'
import { addressBucket } from './address.ts'
import { createMemoryLimiter, type MemoryLimiter } from './memory-limiter.ts'
import type { Rate } from './rate.ts'

export type LookUps = {
  /**
   * What `find` finds for somebody at `address`. Nothing is drawn: whoever finds nothing draws a token, and does so before
   * it waits for anything else. Where as many look-ups are under way as there are tokens left, this waits for one to end.
   * @throws AppError `rate_limited` where no token is left.
   */
  admit<T>(address: string, find: () => Promise<T>): Promise<T>
}

type Address = { underWay: number; waiting: (() => void)[] }

/** As many of one address wait for others to end. */
const maxWaiting = 256

/** Look-ups that leave in the buckets of `limiter` what may be drawn from them, which has this rate. */
export function createLookUps(rate: Rate, limiter: Pick<MemoryLimiter, 'peek'>): LookUps {
  const addresses = new Map<string, Address>()

  async function enter(id: string, here: Address): Promise<void> {
    for (;;) {
      const { remaining, waitMs } = limiter.peek(id)
      if (here.underWay < remaining) break
      if (here.underWay === 0 || here.waiting.length >= maxWaiting) {
        const retryAfterMs = Math.max(1, waitMs)
        const message = `This address may ask for what does not exist ${rate.perSecond} times a second, ${rate.burst} at once. Try again in ${retryAfterMs} ms.`
        throw new AppError('rate_limited', message, { retryAfterMs })
      }
      await new Promise<void>((resolve) => here.waiting.push(resolve))
    }
    here.underWay += 1
  }

  function leave(id: string, here: Address): void {
    here.underWay -= 1
    for (const goOn of here.waiting.splice(0)) goOn()
    if (here.underWay === 0 && addresses.get(id) === here) addresses.delete(id)
  }

  return {
    async admit(address, find) {
      const id = addressBucket(address)
      const here = addresses.get(id) ?? { underWay: 0, waiting: [] }
      await enter(id, here)
      addresses.set(id, here)
      try {
        return await find()
      } finally {
        // Not before a token was drawn for what was not found.
        setImmediate(leave, id, here)
      }
    },
  }
}

/**
 * Finds something for somebody at an address, undefined where there is nothing.
 * @throws AppError `rate_limited` where the address has asked for too much that there isn't.
 */
export type LookUp = <T>(address: string, find: () => Promise<T | undefined>) => Promise<T | undefined>

/** Look-ups with buckets of their own, from which those draw that find nothing. */
export function createLookUp(rate: Rate, now = () => performance.now()): LookUp {
  const limiter = createMemoryLimiter(rate, now)
  const { admit } = createLookUps(rate, limiter)
  return (address, find) =>
    admit(address, async () => {
      const found = await find()
      if (found === undefined) limiter.draw(addressBucket(address), 1)
      return found
    })
}
