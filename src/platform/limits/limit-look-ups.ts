/** Rate limits lookups of unknown callers by address. */
import { AppError } from '../../lib/errors.ts'
import { addressBucket } from './address-bucket.ts'
import { createMemoryLimiter, type MemoryLimiter } from './memory-limiter.ts'
import type { Rate } from './rate.ts'

export type LookUps = {
  /**
   * The result of `find` for a client at `address`. Only a miss draws a token, immediately. While as many
   * lookups are running as there are tokens left, this waits for one to end.
   * @throws AppError `rate_limited` if no token is left.
   */
  admit<T>(address: string, find: () => Promise<T>): Promise<T>
}

/** `present` are all lookups that have begun and not ended, also those that wait. */
type Address = { present: number; underWay: number; waiting: (() => void)[] }

/** The maximum queued lookups per address. */
const maxWaiting = 256

/** Lookups that draw from the buckets of `limiter`, which has this rate. */
export function createLookUps(rate: Rate, limiter: Pick<MemoryLimiter, 'peek'>): LookUps {
  const addresses = new Map<string, Address>()

  async function enter(id: string, here: Address): Promise<void> {
    for (;;) {
      const { remaining, waitMs } = limiter.peek(id)
      if (here.underWay < remaining) break
      if (here.underWay === 0 || here.waiting.length >= maxWaiting) {
        const retryAfterMs = Math.max(1, waitMs)
        const message =
          `This address may look up ${rate.perSecond} unknown names or credentials per second, ` +
          `in bursts of ${rate.burst}. Try again in ${retryAfterMs} ms.`
        throw new AppError('rate_limited', message, { retryAfterMs })
      }
      await new Promise<void>((resolve) => here.waiting.push(resolve))
    }
    here.underWay += 1
  }

  function leave(id: string, here: Address): void {
    here.underWay -= 1
    for (const goOn of here.waiting.splice(0)) goOn()
    forget(id, here)
  }

  /** Before any wait: many lookups may begin in one turn of the event loop. */
  function note(id: string): Address {
    const here = addresses.get(id) ?? { present: 0, underWay: 0, waiting: [] }
    here.present += 1
    addresses.set(id, here)
    return here
  }

  function forget(id: string, here: Address): void {
    here.present -= 1
    if (here.present === 0) addresses.delete(id)
  }

  return {
    async admit(address, find) {
      const id = addressBucket(address)
      const here = note(id)
      try {
        await enter(id, here)
      } catch (error) {
        forget(id, here)
        throw error
      }
      try {
        return await find()
      } finally {
        // Not before a token was drawn for a miss.
        setImmediate(leave, id, here)
      }
    },
  }
}

/**
 * Looks something up for a client at an address, undefined if there is nothing.
 * @throws AppError `rate_limited` after too many misses from the address.
 */
export type LookUp = <T>(address: string, find: () => Promise<T | undefined>) => Promise<T | undefined>

/** Lookups with separate buckets, from which misses draw. */
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
