/** A request with its response, and what is observed of both once the response has ended. */
import type { ServerResponse } from 'node:http'
// Cheaper than looking up the global at each use.
import { performance } from 'node:perf_hooks'
import type { ClientAddress } from '../../lib/net/client-address.ts'
import type { EdgeObserver } from '../../platform/observability/observers.ts'
import type { ServedRequest, ServedResponse } from '../../platform/observability/response-observer.ts'
import type { Site } from './find-site.ts'
import type { ReadRequest } from './wire/read-request.ts'

/**
 * An answer that is being sent: how much of its body has been handed to the connection, and where it came
 * from.
 */
export type Sending = { readonly res: ServerResponse; bytes: number; cache: ServedResponse['cache'] }

export type Exchange = Sending & {
  readonly request: ReadRequest
  /** When the head had been read, by `performance.now()`. */
  readonly startedMs: number
  /** Undefined until it is looked up. */
  site: Site | undefined
}

export type Exchanges = {
  /** Called when the head of a request has been read. */
  begin(res: ServerResponse, request: ReadRequest): Exchange
  /** Called when its response has been written, or aborted. */
  end(exchange: Exchange): void
}

type Deps = {
  observe: EdgeObserver
  clientAddress: ClientAddress
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
}

/**
 * Exchanges that `observe` is called for: at once if the complete response is in the socket's buffers, which
 * needs no listener, else when the client has received it or disconnected.
 */
export function createExchanges({ observe, clientAddress, nowMs }: Deps): Exchanges {
  function report(exchange: Exchange): void {
    const { site, res, startedMs, bytes, cache } = exchange
    const projectId = site?.projectId
    if (!site || !projectId) return
    const durationMs = performance.now() - startedMs
    const { teamId, deploymentId } = site
    const status = res.statusCode
    const answered = { teamId, projectId, deploymentId, status, bytes, durationMs, cache, endedMs: nowMs() }
    observe(answered, () => askedIn(exchange, site))
  }

  function askedIn({ res, request }: Exchange, { host }: Site): ServedRequest {
    const { method, socket } = res.req
    return {
      host,
      method: method ?? '',
      path: `/${request.target.path}`,
      address: clientAddress(socket.remoteAddress ?? '', request.head.forwardedFor),
    }
  }

  return {
    begin(res, request) {
      return { res, request, startedMs: performance.now(), site: undefined, bytes: 0, cache: 'none' }
    },
    end(exchange) {
      const { res } = exchange
      if (!exchange.site) return
      if (res.closed || (res.writableEnded && res.writableLength === 0)) report(exchange)
      else res.once('close', () => report(exchange))
    },
  }
}

/** Exchanges without an observer. */
export const unobserved: Exchanges = {
  begin: (res, request) => ({
    res,
    request,
    startedMs: 0,
    site: undefined,
    bytes: 0,
    cache: 'none',
  }),
  end() {},
}
