/** Sends requests to forges: to checked addresses, bounded in time and size, without following redirects. */
import { Agent, errors, request } from 'undici'
import { createResolve, type Resolve, resolveLocally } from '../../../lib/net/resolve.ts'
import { BlockedAddressError } from '../../../lib/net/vetted-lookup.ts'
import { createConnector } from '../../webhooks/guard/connector.ts'
import { describeFailure, TookTooLongError } from '../../webhooks/guard/request-failure.ts'
import { urlProblem } from '../../webhooks/guard/url.ts'

type ForgeRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Ends the request. */
  signal?: AbortSignal | undefined
}

export type ForgeResponse = {
  status: number
  /** By lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** Why there is no response, and whether there never will be one. */
export type ForgeFailure = { failure: string; isFinal: boolean }

/** Never rejects. */
export type ForgeFetch = (request: ForgeRequest) => Promise<ForgeResponse | ForgeFailure>

const timeLimitMs = 10_000
const maxResponseBytes = 1024 * 1024
const maxHeaderBytes = 16 * 1024

type Options = {
  /** Whether forges may be in a private network. */
  allowPrivate: boolean
  /** Resolvers; undefined: the system's. */
  resolvers: string[] | undefined
  /** Replaces the resolvers. */
  resolve?: Resolve
  /** Trusted certificates instead of the usual ones. */
  ca?: string
  limitMs?: number
}

/** A way to send requests, as webhooks go; `close` ends what is under way. */
export function createForgeFetch({
  allowPrivate,
  resolvers,
  resolve = allowPrivate ? resolveLocally : createResolve(resolvers),
  ca,
  limitMs = timeLimitMs,
}: Options): { fetch: ForgeFetch; close(): Promise<void> } {
  const agent = new Agent({
    connect: createConnector({ resolve, allowPrivate, timeoutMs: limitMs, ca }),
    maxHeaderSize: maxHeaderBytes,
    maxResponseSize: maxResponseBytes,
  })

  async function fetch({
    url,
    method,
    headers,
    body,
    signal,
  }: ForgeRequest): Promise<ForgeResponse | ForgeFailure> {
    const problem = urlProblem(url, allowPrivate)
    if (problem) return { failure: `The URL ${problem}.`, isFinal: true }
    const limit = AbortSignal.timeout(limitMs)
    try {
      const response = await request(url, {
        method,
        headers,
        body: body ?? null,
        dispatcher: agent,
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      })
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
    } catch (error) {
      if (signal?.aborted) return { failure: 'It was given up before the forge answered.', isFinal: true }
      return {
        failure: describeFailure(limit.aborted ? new TookTooLongError() : error),
        isFinal: error instanceof BlockedAddressError || error instanceof errors.ResponseExceededMaxSizeError,
      }
    }
  }

  return { fetch, close: () => agent.destroy() }
}
