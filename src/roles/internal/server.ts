/**
 * The internal port: requests of operators and their proxies, over plain HTTP/1.1. None of it is on a public
 * port.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Logger } from '../../lib/log/logger.ts'
import {
  type LookAtReadiness,
  type Readiness,
  reportedReadiness,
} from '../../platform/observability/readiness.ts'
import { TooManyLoadsError } from '../../stores/cache/fresh-cache.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import type { Metrics } from './metrics/metrics.ts'
import { type Reply, sendReply } from './reply.ts'

type ServesDomain = (name: string) => Promise<boolean>

export type InternalDeps = {
  /** Whether a name is a served domain; rejects when a store is unavailable. */
  servesDomain: ServesDomain
  metrics: Metrics
  readiness: LookAtReadiness
  log: Logger
}

type Route = (query: URLSearchParams) => Promise<Reply>

/** Timeouts for the headers of a request, for all of it, and how often both are checked; in milliseconds. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }

/** The server, not yet listening. */
export function createInternalServer({ servesDomain, metrics, readiness, log }: InternalDeps): Server {
  const routes = new Map<string, Route>([
    ['/internal/tls/ask', (query) => certificateReply(query, servesDomain)],
    ['/metrics', metrics],
    // The same as on the API's port, which not every node has.
    ['/healthz', async () => json(200, { ok: true })],
    ['/readyz', async () => tellReadiness(await readiness())],
  ])

  async function answer({ method, url = '' }: IncomingMessage): Promise<Reply> {
    const mark = url.includes('?') ? url.indexOf('?') : url.length
    const route = routes.get(url.slice(0, mark))
    if (!route) return { status: 404, text: 'Not found.' }
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, text: 'Only GET and HEAD are allowed here.', headers: { Allow: 'GET, HEAD' } }
    }
    return route(new URLSearchParams(url.slice(mark + 1)))
  }

  return createServer(timeouts, (req, res) => {
    answer(req)
      .catch((error: unknown) => {
        if (!(error instanceof TooManyLoadsError)) {
          log.error(
            { err: error, path: req.url?.split('?', 1)[0] },
            'A response of the internal port failed.',
          )
        }
        return failure(error)
      })
      .then((reply) => sendReply(res, reply))
  })
}

/**
 * For a proxy that obtains certificates on demand: 200 where the one `domain` in `query` is served, else 404.
 */
async function certificateReply(query: URLSearchParams, servesDomain: ServesDomain): Promise<Reply> {
  const [name, ...others] = query.getAll('domain')
  if (!name || others.length > 0) return { status: 400, text: 'Give one name as ?domain=<name>.' }
  return (await servesDomain(name))
    ? { status: 200, text: 'This name is served here.' }
    : { status: 404, text: 'This name is not served here.' }
}

function tellReadiness(told: Readiness): Reply {
  return json(told.ready ? 200 : 503, reportedReadiness(told))
}

function json(status: number, value: unknown): Reply {
  return {
    status,
    text: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  }
}

function failure(error: unknown): Reply {
  return isStoreAway(error)
    ? { status: 503, text: 'Service unavailable.', headers: { 'Retry-After': '1' } }
    : { status: 500, text: 'Internal error.' }
}
