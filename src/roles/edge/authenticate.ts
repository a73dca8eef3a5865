/** Authenticates visitors of protected sites, with a rate limit against guessing. */

import { AppError } from '../../lib/errors.ts'
import type { Principal } from '../../platform/callers/principal.ts'
import { addressBucket } from '../../platform/limits/address-bucket.ts'
import type { Limiter } from '../../platform/limits/limiter.ts'

/**
 * The principal of a complete `Authorization` value from `address`. Rejects with AppError
 * `store_unavailable`, or with `rate_limited` after too many invalid ones from the address.
 */
export type Authenticate = (authorization: string, address: string) => Promise<Principal | undefined>

/** Draws from the address's bucket in `strangers` for each credential that `find` doesn't know. */
export function limitGuesses(find: Authenticate, strangers: Limiter): Authenticate {
  return async (authorization, address) => {
    const principal = await find(authorization, address)
    if (principal) return principal
    const { allowed, waitMs } = await strangers.draw(addressBucket(address), 1)
    if (allowed) return undefined
    throw new AppError('rate_limited', 'This address has tried too many credentials.', {
      retryAfterMs: waitMs,
    })
  }
}
