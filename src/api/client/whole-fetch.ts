/** Sends requests, and recognizes responses that aren't the API's. */
import type { httpBatchLink } from '@trpc/client'
import type { AppRouter } from '../routers/index.ts'
import { BusyResponse, ForeignResponse, isBusy, isResponseHead, type ResponseHead } from './retry-after.ts'

export type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]['fetch']>

/** `fetch` that rejects with BusyResponse or ForeignResponse for what isn't JSON, and no link could read. */
export function refusingForeign(fetch: Fetch): Fetch {
  return async (address, init) => {
    const response = await fetch(address, init)
    if (!isResponseHead(response)) return response
    if (isBusy(response)) throw new BusyResponse(response)
    if (isForeign(response)) throw new ForeignResponse(response)
    return response
  }
}

/** A caller's own `fetch` may leave the type of an answer out. */
function isForeign({ status, headers }: ResponseHead): boolean {
  const type = headers.get('content-type')
  return type === null ? status >= 400 : !type.startsWith('application/json')
}
