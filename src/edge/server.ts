/** The edge: serves all sites' files by host name, over HTTP/1.1. */
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Database } from '../db/open.ts'
import type { Logger } from '../log/logger.ts'
import { noteResponses } from '../net/latest-response.ts'
import type { EdgeObserver } from '../observability/observers.ts'
import { createVisits, type VisitDeps } from './access.ts'
import { createExchanges, unobserved } from './exchange.ts'
import { createHandle } from './handle.ts'
import { createManifests } from './manifests.ts'
import { createDeliver } from './responses/deliver.ts'
import { createClientAddress, createIsTrusted } from './wire/client-address.ts'
import { respondToClientError } from './wire/client-error.ts'
import { limitConnections } from './wire/limit-connections.ts'
import { createReadHost } from './wire/site-host.ts'

export type EdgeDeps = VisitDeps & {
  db: Database
  blobs: BlobStore
  log: Logger
  /** Is told of each answer for a project. */
  observe?: EdgeObserver
  /** Who is believed what address a client has: addresses, ranges and names of them. */
  trustedProxies?: readonly string[]
  /** Connections per address; 0: no limit. */
  maxConnections?: number
  timeouts?: Timeouts
}

/** Timeouts for the headers of a request, for all of it, and how often both are checked; in milliseconds. */
type Timeouts = { headersMs: number; requestMs: number; checkMs: number }

const defaultTimeouts: Timeouts = { headersMs: 15_000, requestMs: 30_000, checkMs: 2_000 }

const maxHeaderBytes = 16 * 1024

/** The server, not yet listening. */
export function createEdgeServer(deps: EdgeDeps): Server {
  const { observe, nowMs } = deps
  const { headersMs, requestMs, checkMs } = deps.timeouts ?? defaultTimeouts
  const proxies = deps.trustedProxies ?? []
  const clientAddress = createClientAddress(proxies)
  const handle = createHandle({
    visits: createVisits(deps, createManifests(deps.db)),
    deliver: createDeliver(deps.blobs),
    readHost: createReadHost(new URL(deps.sitesUrl).hostname),
    clientAddress,
    exchanges: observe ? createExchanges({ observe, clientAddress, nowMs }) : unobserved,
    log: deps.log,
  })
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // Checked together with the other headers.
    requireHostHeader: false,
  }
  // A client may half-close its side after sending the request, and still gets the response.
  const server = Object.assign(createServer(options, handle), { httpAllowHalfOpen: true })
  // Expect: 100-continue is not answered, since bodies aren't read.
  server.on('checkContinue', handle)
  server.on('clientError', respondToClientError)
  noteResponses(server)
  server.on('connection', keepAddress)
  const maxPerAddress = deps.maxConnections ?? 0
  limitConnections(server, { maxPerAddress, isTrusted: createIsTrusted(proxies) })
  return server
}

/** After the connection has closed, Node knows the address only if it was read before. */
function keepAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}
