/** The edge: serves all sites' files by host name. */

import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../../lib/log/logger.ts'
import { useOwnAuthority } from '../../lib/net/absolute-form.ts'
import { createClientAddress } from '../../lib/net/client-address.ts'
import { closeInStages } from '../../lib/net/close-in-stages.ts'
import { ignoreUpgrades } from '../../lib/net/ignore-upgrades.ts'
import { endWhenBodyIsLate } from '../../lib/net/late-bodies.ts'
import { inTurn, isEnding, noteResponses } from '../../lib/net/latest-response.ts'
import { refuseConnect } from '../../lib/net/refuse-connect.ts'
import { createIsTrusted } from '../../lib/net/trusted-proxies.ts'
import type { UnreadLimits } from '../../lib/net/unread/limits.ts'
import { watchHttp1 } from '../../lib/net/unread/watch-server.ts'
import { announcedBody } from '../../lib/net/unread-body.ts'
import type { PendingChallenges } from '../../platform/certificates/pending.ts'
import { createClientOf } from '../../platform/limits/client-of.ts'
import type { LateRefusals } from '../../platform/limits/late-refusals.ts'
import { limitConnections } from '../../platform/limits/limit-connections.ts'
import type { Slots } from '../../platform/limits/slots.ts'
import type { EdgeObserver } from '../../platform/observability/observers.ts'
import type { Servers } from '../../platform/servers/servers.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Changes } from '../../stores/db/changes.ts'
import type { Database } from '../../stores/db/database.ts'
import { createVisits, type VisitDeps } from './admit-request.ts'
import { createForward } from './forward/forward.ts'
import { createOpenExchanges } from './forward/open-exchanges.ts'
import type { OriginAgents } from './forward/origin-agents.ts'
import { boundsOfNode, boundsOfServers, createPlaces } from './forward/places.ts'
import { type SilenceLimits, silenceLimits } from './forward/silence.ts'
import { createHandle } from './handle.ts'
import { isOverTls, type LeadToHttps } from './https.ts'
import { createManifests } from './manifests.ts'
import { createExchanges, unobserved } from './observed-exchange.ts'
import { createDeliver } from './responses/deliver.ts'
import { lastResponse, lingerMs, respondToClientError } from './wire/client-error.ts'
import { createReadHost } from './wire/site-host.ts'

export type EdgeDeps = VisitDeps & {
  db: Database
  /** The changes of the rows of `db`. */
  changes: Changes
  blobs: BlobStore
  log: Logger
  /** Refusals of addresses that go on beyond the rate of `lookUp`. */
  late: LateRefusals
  /** Is told of each answer for a project. */
  observe?: EdgeObserver
  /** Who is believed what address a client has: addresses, ranges and names of them. */
  trustedProxies?: readonly string[]
  /** The connections of each client; undefined without a limit. */
  connections?: Slots | undefined
  /** The bytes that clients leave unread; undefined without a limit. */
  unread?: UnreadLimits | undefined
  /** The challenges of a certificate authority; undefined where none is used. */
  challenges?: PendingChallenges | undefined
  /** Leads visitors to HTTPS; undefined where nobody is led. */
  https?: LeadToHttps | undefined
  /** This process's share of the memory of a node, from 0 to 1. */
  share?: number | undefined
  timeouts?: Timeouts
  /** The connections to the servers of rules. */
  origins: OriginAgents
  /** The servers of deployments; undefined where this node runs none. */
  servers?: Servers | undefined
  /** How long servers and visitors may say nothing. */
  silence?: SilenceLimits
}

/** Timeouts for the headers of a request, for all of it, and how often both are checked; in milliseconds. */
type Timeouts = { headersMs: number; requestMs: number; checkMs: number }

export const edgeTimeouts: Timeouts = { headersMs: 15_000, requestMs: 30_000, checkMs: 2_000 }

const maxHeaderBytes = 16 * 1024

/** The server of HTTP/1.1, not yet listening, and what it calls for each request. */
export function createEdgeServer(deps: EdgeDeps): { server: Server; handle: RequestListener } {
  const { observe, nowMs, share } = deps
  const { headersMs, requestMs, checkMs } = deps.timeouts ?? edgeTimeouts
  const proxies = deps.trustedProxies ?? []
  const clientAddress = createClientAddress(proxies)
  const manifests = createManifests(deps, { share })
  const readHost = createReadHost(new URL(deps.sitesUrl).hostname)
  const isTrusted = createIsTrusted(proxies)
  const visits = createVisits(deps, manifests)
  const forward = createForward({
    sites: deps.sites,
    readHost,
    sitesHost: new URL(deps.sitesUrl).hostname,
    agents: deps.origins,
    places: createPlaces(boundsOfNode, share),
    servers: deps.servers,
    serverPlaces: createPlaces(boundsOfServers, share),
    open: createOpenExchanges(visits),
    limits: deps.silence ?? silenceLimits,
    isSecure: (req) =>
      isOverTls(req) ||
      (req.headers['x-forwarded-proto'] === 'https' && isTrusted(req.socket.remoteAddress ?? '')),
  })
  const { handle, takeUpgrade } = createHandle({
    forward,
    visits,
    deliver: createDeliver(deps.blobs, share),
    readHost,
    clientAddress,
    exchanges: observe ? createExchanges({ observe, clientAddress, nowMs }) : unobserved,
    challenges: deps.challenges,
    https: deps.https,
    late: deps.late,
    log: deps.log,
  })
  const answerNow: RequestListener = (request, response) => {
    useOwnAuthority(request)
    // Unless it is passed on, no body is read, and Node drops it.
    const announced = announcedBody(request.rawHeaders)
    if (announced === 'long') response.shouldKeepAlive = false
    if (announced !== 'none') endWhenBodyIsLate(server, request, requestMs)
    handle(request, response)
  }
  const answer: RequestListener = (request, response) => {
    // Pipelined behind too many.
    if (!isEnding(request.socket)) inTurn(response, () => answerNow(request, response))
  }
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersMs,
    // Bodies have a limit of their own, which those that are passed on are exempt from.
    requestTimeout: 0,
    connectionsCheckingInterval: checkMs,
    // Checked together with the other headers.
    requireHostHeader: false,
  }
  // A client may half-close its side after sending the request, and still gets the response.
  const server = Object.assign(createServer(options, answer), { httpAllowHalfOpen: true })
  // Expect: 100-continue is answered by whoever reads the body.
  server.on('checkContinue', answer)
  // Nor is anything else that is expected, as over HTTP/2: Node would refuse it, and read the body.
  server.on('checkExpectation', answer)
  server.on('clientError', respondToClientError)
  ignoreUpgrades(server, takeUpgrade)
  refuseConnect(server, lingerMs, () => lastResponse(405))
  noteResponses(server)
  closeInStages(server, lingerMs)
  server.on('connection', keepAddress)
  server.on('close', manifests.stop)
  const clientOf = createClientOf(proxies)
  const { connections, log } = deps
  if (connections) server.on('connection', limitConnections(connections, { target: 'sites', clientOf, log }))
  if (deps.unread) watchHttp1(server, deps.unread, clientOf)
  return { server, handle }
}

/** After the connection has closed, Node knows the address only if it was read before. */
function keepAddress(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}
