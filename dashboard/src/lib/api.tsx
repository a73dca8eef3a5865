'use client'
/** The typed client of the API, for the team of the page. */
import type { AppRouter, RouterInputs, RouterOutputs } from '@svc-platform/client'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { EventSource } from 'eventsource'
import { type ReactNode, useState } from 'react'
import { isTemporary, problemOf, statusOf } from './api-error'
import { createTokenStore } from './jwt-link'
import { strictInputsLink } from './strict-inputs'

export type Inputs = RouterInputs
export type Outputs = RouterOutputs

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter, { keyPrefix: true }>()

export { useTRPC, useTRPCClient }

/** Fits the server's limit of headers, which include the URL. */
const batchLimits = { maxItems: 100, maxURLLength: 8_000 }

const maxRetries = 3

/** Leaves for the page to sign in, which leads back here. */
function leaveToSignIn(): void {
  const here = location.pathname + location.search
  location.assign(`/auth/sign-in?next=${encodeURIComponent(here)}`)
}

function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (statusOf(error) === 401) leaveToSignIn()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        // What changes is invalidated by the stream of events.
        staleTime: 30_000,
        retry: (count, error) => count < maxRetries && isTemporary(error),
        retryDelay: (count, error) => problemOf(error).retryAfterMs ?? 500 * 2 ** count,
      },
      mutations: { onError },
    },
  })
}

/**
 * The client whose calls act in `team`, or without one in the person's own. A query with `context: { alone: true }` has a
 * request of its own: a batch waits for its slowest.
 */
export function createClient(team: string | undefined) {
  const tokens = createTokenStore(async () => (await client.tokens.mint.mutate({})).token)
  const ofTeam: Record<string, string> = team === undefined ? {} : { 'x-svc-team': team }
  const client = createTRPCClient<AppRouter>({
    links: [
      strictInputsLink,
      tokens.link,
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: '/trpc',
          EventSource,
          eventSourceOptions: {
            fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...ofTeam } }),
          },
        }),
        false: splitLink({
          condition: ({ type, context }) => type === 'query' && context.alone !== true,
          true: httpBatchLink({ url: '/trpc', headers: ofTeam, ...batchLimits }),
          false: httpLink({
            url: '/trpc',
            headers: ({ op }) => ({
              ...ofTeam,
              ...(op.path !== 'tokens.mint' && authorization(tokens.token())),
              ...idempotency(op.context.idempotencyKey),
            }),
          }),
        }),
      }),
    ],
  })
  return client
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function idempotency(key: unknown): Record<string, string> {
  return typeof key === 'string' ? { 'idempotency-key': key } : {}
}

/** Gives the pages below the client of `team`. Render it with `key={team}`: caches of teams never mix. */
export function ApiProvider({ team, children }: { team: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const [client] = useState(() => createClient(team))
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider keyPrefix={team ?? ''} queryClient={queryClient} trpcClient={client}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}
