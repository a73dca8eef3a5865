/** Sends requests, and recognizes responses that aren't the API's. */
import type { httpBatchLink } from '@trpc/client'
import type { AppRouter } from '../routers/index.ts'
import { BusyResponse, isBusy, isResponseHead } from './retry-after.ts'

export type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** `fetch` that rejects with BusyResponse for a 429 or 503 that isn't JSON, which the link couldn't read. */
export function refusingBusy(fetch: Fetch): Fetch {
  return async (address, init) => {
    const response = await fetch(address, init)
    if (isResponseHead(response) && isBusy(response)) throw new BusyResponse(response)
    return response
  }
}
