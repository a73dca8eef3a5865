/** Sends subscriptions as server-sent events. */
import { httpSubscriptionLink, type Operation, type TRPCLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import type { AppRouter } from '../routers/index.ts'

/**
 * A link to the subscriptions below `url`. Unlike a browser's own `EventSource` it sends headers: those of
 * `headersOf`.
 */
export function createSubscriptionLink(
  url: string,
  headersOf: (operations: readonly Operation[]) => Record<string, string>,
): TRPCLink<AppRouter> {
  return httpSubscriptionLink({
    url,
    EventSource,
    eventSourceOptions: ({ op }) => ({
      fetch: async (address, init) =>
        asStream(await fetch(address, { ...init, headers: { ...init.headers, ...headersOf([op]) } })),
    }),
  })
}

/**
 * A refusal as a stream that fails: `EventSource` reads nothing of a response with another status, so that
 * nobody would know why, and a 503 would be final.
 */
async function asStream(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (response.ok || !isJson) return response
  const refusal: unknown = await response.clone().json()
  if (typeof refusal !== 'object' || refusal === null || !('error' in refusal)) return response
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(`event: serialized-error\ndata: ${JSON.stringify(refusal.error)}\n\n`, { headers })
}
