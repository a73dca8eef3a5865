/** The package's exports: the router's types and a typed client, without the server. */
import {
  createTRPCClient,
  getFetch,
  httpBatchLink,
  httpLink,
  isTRPCClientError,
  type Operation,
  splitLink,
  type TRPCClient,
  type TRPCClientError,
} from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../routers/index.ts'
import { isExchange } from './call-scope.ts'
import { createCaller } from './caller.ts'
import { checkTeamOf, isSession } from './check-team.ts'
import { createJwtLink } from './jwt-link.ts'
import { createRetryLink, type RetryOptions } from './retry-link.ts'
import { createSubscriptionLink } from './subscription-link.ts'
import { type Fetch, refusingForeign } from './whole-fetch.ts'

export type { AppRouter } from '../routers/index.ts'
export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** The server accepts up to 16 KiB of headers, which include the URL, and 100 calls per request. */
const batchLimits = { maxURLLength: 8_000, maxItems: 100 }

type ClientOptions = {
  /** The API's address, such as `http://localhost:3000`. */
  url: string
  /** An API key or a JWT; without it, a page's own session or `cookie` is used. */
  token?: string | undefined
  /** The `Cookie` header of a session, for programs other than pages. */
  cookie?: string | undefined
  /**
   * The slug or id of the team in which a session acts; default: its user's own. Leave it out with a key or
   * JWT.
   */
  team?: string | undefined
  /** Sends the requests, except those of subscriptions; default: the global `fetch`. */
  fetch?: Fetch
  /** How to wait for a busy server; `false` makes each call once and makes no Idempotency-Keys. */
  retry?: RetryOptions | false
}

/**
 * A typed client of the API at `url`. Calls made at the same time share a request, except those that are a
 * `POST` in the REST API: these have an Idempotency-Key, made here or given as `{ context: { idempotencyKey }
 * }`, and take effect once however often they are sent. Refused and lost calls are made again, for up to a
 * minute. If the server requires a JWT, the client exchanges its API key or session for one at the first call
 * that is refused without; a session with a `team` does so before its first call, and fails where the server
 * issues none of that team.
 * @throws TypeError for a `team` beside an API key, or a JWT that doesn't have this id of a team.
 */
export function createClient(given: ClientOptions): TRPCClient<AppRouter> {
  const { url, token, team, fetch, retry = {} } = given
  checkTeamOf(token, team)
  const options = { url: new URL('/trpc', url).href, fetch: refusingForeign(getFetch(fetch)) }
  const sessionTeam = isSession(token) ? team : undefined
  const caller = createCaller(sessionTeam, (of) =>
    client.tokens.mint.mutate(of === undefined ? {} : { team: of }, { context: { ofPerson: true } }),
  )
  const headersOf = ([op, ...more]: readonly Operation[]): Record<string, string> => ({
    ...(team !== undefined && { 'x-svc-team': team }),
    ...credentialHeaders((op && caller.jwtsFor(op)?.current()) ?? token, given),
    ...(more.length === 0 && op && idempotencyHeader(op)),
  })
  const batches = () =>
    httpBatchLink<AppRouter>({ ...options, headers: ({ opList }) => headersOf(opList), ...batchLimits })
  const client = createTRPCClient<AppRouter>({
    links: [
      ...(retry ? [createRetryLink(retry)] : []),
      createJwtLink(caller, sessionTeam),
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: createSubscriptionLink(options.url, headersOf),
        false: splitLink({
          condition: (op) => op.context.idempotencyKey !== undefined || isExchange(op),
          true: httpLink({ ...options, headers: ({ op }) => headersOf([op]) }),
          // A batch has one credential.
          false: splitLink({ condition: caller.isInTeam, true: batches(), false: batches() }),
        }),
      }),
    ],
  })
  return client
}

function idempotencyHeader({ context }: Operation): Record<string, string> {
  const { idempotencyKey } = context
  return idempotencyKey === undefined ? {} : { 'idempotency-key': String(idempotencyKey) }
}

function credentialHeaders(
  token: string | undefined,
  { url, cookie }: Pick<ClientOptions, 'url' | 'cookie'>,
): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  // A session changes something only from the API's own origin.
  return cookie === undefined ? {} : { cookie, origin: new URL(url).origin }
}

/** The error of a call; `data.reason` says why it failed. Without `data`, no response came. */
export type ClientError = TRPCClientError<AppRouter>

/** Whether a call of a client failed with this error. */
export function isClientError(error: unknown): error is ClientError {
  return isTRPCClientError(error)
}
