/** Starts the edge. */
import { listen, type StopsAccepting } from '../../lib/net/listen.ts'
import { createResolve, resolveLocally } from '../../lib/net/resolve.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { inBatches } from '../../platform/observability/in-batches.ts'
import type { EdgeObserver } from '../../platform/observability/observers.ts'
import { createRequestLog } from '../../platform/observability/requests/request-log.ts'
import type { Servers } from '../../platform/servers/servers.ts'
import type { VisitDeps } from '../../roles/edge/admit-request.ts'
import { limitGuesses } from '../../roles/edge/authenticate.ts'
import { createOriginAgents, type OriginAgents } from '../../roles/edge/forward/origin-agents.ts'
import { createEdgeServer } from '../../roles/edge/server.ts'
import { createTakeOvers } from '../../roles/edge/take-overs.ts'
import { createPersonVisits } from '../../roles/edge/visitors/person-visits.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import type { NodeContext } from './context.ts'
import { openEdgeTls } from './edge-tls.ts'
import { readProxyHeaderOf } from './proxy-headers.ts'
import { publicSitesUrl } from './public-url.ts'

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'installation'
  | 'sites'
  | 'certificates'
  | 'ownLimits'
  | 'unread'
  | 'log'
  | 'nowMs'
  | 'together'
> & {
  authenticate: VisitDeps['authenticate']
  /** The servers of deployments; undefined where the node runs none. */
  servers: Servers | undefined
  /** Limits tries of passwords by address. */
  passwords: VisitDeps['passwords']
  /** Where people sign in, if it is known; with port 0 only once the API listens. */
  apiUrl: () => string | undefined
  /** Is told of each answer for a project. */
  observe: EdgeObserver
}

/** `tlsPort` is the port of HTTPS, if any. */
export type Edge = StopsAccepting & { tlsPort: number | undefined }

/** Followers of a log see a line a second after it was written. */
const logRequestsMs = 500

/**
 * Resolves once the edge listens; closing it flushes its log. @throws SettingsError when its port is in use.
 */
export async function startEdge(deps: Deps): Promise<Edge> {
  const { settings, installation, sites, ownLimits, authenticate, observe, log, nowMs, together } = deps
  const { store, blobs, keys } = installation
  const requestLog = createRequestLog({ db: store.db, log, nowMs, share: together?.share })
  const batches = inBatches((answered, request) => {
    observe(answered, request)
    requestLog.observe(answered, request)
  })
  const personVisits = createPersonVisits(store, settings.SVC_STALE_S * 1_000)
  // With port 0, known only once the server listens.
  let { SVC_EDGE_PORT: port } = settings
  const tls = await openEdgeTls(deps)
  const origins = openOrigins(settings)
  const { server, handle } = createEdgeServer({
    sites: deps.servers ? createTakeOvers(sites, deps.servers) : sites,
    authenticate,
    personVisits,
    passwords: deps.passwords,
    log,
    nowMs,
    lookUp: ownLimits.sites,
    late: ownLimits.late.sites,
    connections: ownLimits.connections,
    unread: deps.unread,
    share: together?.share,
    db: store.db,
    changes: store.changes,
    blobs,
    cookieKey: keys.edgeCookies,
    observe: batches.observe,
    trustedProxies: settings.SVC_TRUSTED_PROXIES,
    challenges: tls?.challenges,
    https: tls?.lead,
    origins,
    servers: deps.servers,
    get apiUrl() {
      return deps.apiUrl()
    },
    get sitesUrl() {
      return publicSitesUrl(settings, port)
    },
  })
  const edge = await listen(server, {
    port,
    host: settings.SVC_HOST,
    setting: 'SVC_EDGE_PORT',
    readProxyHeader: readProxyHeaderOf(settings),
    isShared: together !== undefined,
  })
  port = edge.port
  const listening = tls ? await tls.listen(edge, { http1: server, handle }) : { ...edge, tlsPort: undefined }
  const write = () => requestLog.flush().then(() => false)
  const stopWriting = startLoop([{ name: 'log requests', everyMs: logRequestsMs, run: write }], log)
  return {
    port,
    tlsPort: listening.tlsPort,
    stopAccepting: listening.stopAccepting,
    async close(waitMs) {
      await listening.close(waitMs)
      origins.close()
      personVisits.stop()
      batches.flush()
      await stopWriting()
      await requestLog.close()
    },
  }
}

/** The ways to the servers that rules of sites pass requests on to. */
function openOrigins({ SVC_RESOLVERS: servers, SVC_FORWARD_PRIVATE: allowPrivate }: Settings): OriginAgents {
  const resolve = allowPrivate && !servers ? resolveLocally : createResolve(servers)
  return createOriginAgents({ resolve, allowPrivate })
}

/**
 * The edge of a node, whose responses are counted; people sign in at `apiUrl`. Resolves and throws as
 * `startEdge` does.
 */
export function startCountedEdge(
  context: NodeContext & Pick<Deps, 'servers'>,
  apiUrl: () => string | undefined,
): Promise<Edge> {
  const { principals, limits, traffic, observers } = context
  return startEdge({
    ...context,
    apiUrl,
    passwords: limits.passwords,
    authenticate: limitGuesses(principals.find, limits.of.anonymous.limiter),
    observe(answered) {
      traffic.count(answered)
      observers.observe.edge(answered)
    },
  })
}
