/** The package's exports: the router's types and a typed client, without the server. */
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

/** The server accepts up to 16 KiB of headers, which include the URL, and 100 calls per request. */
const batchLimits = { maxURLLength: 8_000, maxItems: 100 }

type LinkOptions = Parameters<typeof httpBatchLink<AppRouter>>[0]

type ClientOptions = {
  /** The API's address, such as `http://localhost:3000`. */
  url: string
  /** An API key or a JWT. */
  token: string
  /** Sends the requests; default: the global `fetch`. */
  fetch?: NonNullable<LinkOptions['fetch']>
}

/**
/**
 * A typed client of the API at `url`, authenticated by `token`. Calls made at the same time share a request, except those
 * with `{ context: { idempotencyKey } }`, which can be retried with the same key and take effect once. If the server
 * requires a JWT, the client exchanges its API key for one at the first call that is refused without.
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
