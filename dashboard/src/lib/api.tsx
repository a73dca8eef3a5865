'use client'
/** The typed client of the API, for the team of the page. */
import type { AppRouter, RouterInputs, RouterOutputs } from '@svc-platform/client'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
} from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { EventSource } from 'eventsource'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { type Call, isExchange, isOfPerson } from '../../../src/api/client/call-scope.ts'
import { claimsOf } from '../../../src/api/client/jwt-claims.ts'
import { createJwtSource, type JwtSource } from '../../../src/api/client/jwt-source.ts'
import { isTemporary, problemOf, statusOf } from './api-error'
import { createJwtLink } from './jwt-link'
import { createPersonCheck } from './person-check'
import { Refusal } from './refusal'
import { createPersonLink } from './same-person'
import { strictInputsLink } from './strict-inputs'

export type Inputs = RouterInputs
export type Outputs = RouterOutputs

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter, { keyPrefix: true }>()

export { useTRPC, useTRPCClient }

export type Client = TRPCClient<AppRouter>

/** Teams change without a new page; the person never does. */
const checkPerson = createPersonCheck(() => location.reload())

/** Fits the server's limit of headers, which include the URL. */
const batchLimits = { maxItems: 100, maxURLLength: 8_000 }

const maxRetries = 3

/** Leaves for the page to sign in, which leads back here. */
function leaveToSignIn(): void {
  const here = location.pathname + location.search
  location.assign(`/auth/sign-in?${new URLSearchParams({ next: here, ended: '1' })}`)
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
 * The client whose calls act in `team`, or without one in the person's own. Where the server requires JWTs,
 * all that is in the team has a JWT of it, reads and streams too: one credential decides. A query with
 * `context: { alone: true }` has a request of its own: a batch waits for its slowest. `jwts` are those of the
 * team.
 */
function createClient(team: string | undefined): { client: Client; jwts: JwtSource } {
  const isRequired = async () => (await client.account.get.query({})).jwt_required
  const sourceOf = (of: string | undefined) => {
    const mint = async () => {
      const minted = await client.tokens.mint.mutate(of === undefined ? {} : { team: of })
      checkPerson(claimsOf(minted.token).sub)
      return minted
    }
    return createJwtSource({ mint, isRequired, refuse: (message) => new Refusal(message) }, of)
  }
  const own = sourceOf(undefined)
  const ofTeam = sourceOf(team)
  const isOfTeam = (call: Call) => team !== undefined && !isExchange(call) && !isOfPerson(call, [team])
  const jwtsFor = (call: Call) => {
    if (isOfTeam(call)) return ofTeam
    return call.type === 'mutation' && !isExchange(call) ? own : undefined
  }
  const headersFor = (call: Call | undefined): Record<string, string> => ({
    ...(team !== undefined && { 'x-svc-team': team }),
    ...authorization(call && jwtsFor(call)?.current()),
  })
  const batches = () =>
    httpBatchLink<AppRouter>({ url: '/trpc', headers: ({ opList: [op] }) => headersFor(op), ...batchLimits })
  const client: Client = createTRPCClient<AppRouter>({
    links: [
      strictInputsLink,
      createPersonLink(checkPerson),
      createJwtLink(jwtsFor),
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: '/trpc',
          EventSource,
          eventSourceOptions: ({ op }) => ({
            fetch: (url, init) => openStream(url, init, { jwts: jwtsFor(op), headers: () => headersFor(op) }),
          }),
        }),
        false: splitLink({
          condition: ({ type, context }) => type === 'query' && context.alone !== true,
          // A batch has one credential.
          true: splitLink({ condition: isOfTeam, true: batches(), false: batches() }),
          false: httpLink({
            url: '/trpc',
            headers: ({ op }) => ({ ...headersFor(op), ...idempotency(op.context.idempotencyKey) }),
          }),
        }),
      }),
    ],
  })
  return { client, jwts: ofTeam }
}

type Streaming = { jwts: JwtSource | undefined; headers: () => Record<string, string> }

/** Connects a stream, also again after the JWT has ended: `EventSource` doesn't tell why a server refuses. */
async function openStream(
  url: string | URL,
  init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  { jwts, headers }: Streaming,
): Promise<Response> {
  const used = jwts?.current()
  const connect = () => fetch(url, { ...init, headers: { ...init.headers, ...headers() } })
  const response = await connect()
  if (response.status !== 401 || used === undefined) return response
  await jwts?.renew(used)
  return connect()
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function idempotency(key: unknown): Record<string, string> {
  return typeof key === 'string' ? { 'idempotency-key': key } : {}
}

const JwtsContext = createContext<JwtSource | undefined>(undefined)

/** The JWTs of the page's team, for requests beside the typed client. */
export function useJwts(): JwtSource {
  const jwts = useContext(JwtsContext)
  if (!jwts) throw new Error('There is no ApiProvider above.')
  return jwts
}

/** Gives the pages below the client of `team`. Render it with `key={team}`: caches of teams never mix. */
export function ApiProvider({ team, children }: { team: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const [{ client, jwts }] = useState(() => createClient(team))
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider keyPrefix={team ?? ''} queryClient={queryClient} trpcClient={client}>
        <JwtsContext value={jwts}>{children}</JwtsContext>
      </TRPCProvider>
    </QueryClientProvider>
  )
}
