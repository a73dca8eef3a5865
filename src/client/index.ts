/** What other code imports: the router's types and a typed client, without the server. */
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  type Operation,
  splitLink,
  type TRPCClient,
} from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../routers/index.ts'
import { createJwtLink } from './jwt-link.ts'

export type { AppRouter } from '../routers/index.ts'
export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** The server takes up to 16 KiB of headers, of which the address is a part, and 100 calls in one request. */
const batchLimits = { maxURLLength: 8_000, maxItems: 100 }

type LinkOptions = Parameters<typeof httpBatchLink<AppRouter>>[0]

type ClientOptions = {
  /** The API's address, such as `http://localhost:3000`. */
  url: string
  /** The API key to act with, or a JWT. */
  token: string
  /** Makes the requests; the global `fetch` when left out. */
  fetch?: NonNullable<LinkOptions['fetch']>
}

/**
/**
 * A typed client of the API at `url` that acts with `token`. Calls of one moment share a request, but for those with
 * `{ context: { idempotencyKey } }`, which may be repeated with the same key and take effect once. Where the server wants a
 * JWT, it exchanges an API key for one by itself, at the first call that is asked for it.
 */
export function createClient({ url, token, fetch }: ClientOptions): TRPCClient<AppRouter> {
  const options = { url: new URL('/trpc', url).href, ...(fetch && { fetch }) }
  const { link, tokenFor } = createJwtLink(token, () => client.tokens.mint.mutate({}))
  const authorize = (operations: readonly Operation[]) => ({
    authorization: `Bearer ${tokenFor(operations)}`,
  })
  const client = createTRPCClient<AppRouter>({
    links: [
      link,
      splitLink({
        condition: ({ context }) => context.idempotencyKey !== undefined,
        true: httpLink({
          ...options,
          headers: ({ op }) => ({ ...authorize([op]), 'idempotency-key': String(op.context.idempotencyKey) }),
        }),
        false: httpBatchLink({ ...options, headers: ({ opList }) => authorize(opList), ...batchLimits }),
      }),
    ],
  })
  return client
}
