/** Looks at the credentials with which visitors want to open protected sites, which nobody may try out. */
import type { Principal } from '../auth/principal.ts'
import { AppError } from '../errors.ts'
import { addressBucket } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'

/**
 * The principal of a whole `Authorization` value that came from `address`. Rejects with AppError `store_unavailable` when it
 * can't tell, with `rate_limited` when the address has shown too much that is none.
 */
export type Authenticate = (authorization: string, address: string) => Promise<Principal | undefined>

/** Draws from the bucket of the address, the one of `strangers`, for each credential that `find` doesn't know. */
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
