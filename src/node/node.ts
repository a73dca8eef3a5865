/** A node: opens the stores, starts the roles it was given, and stops them in order. */
import { isIP } from 'node:net'
import { createJwts } from '../auth/jwt/jwts.ts'
import { createLastUsed } from '../auth/last-used.ts'
import { createPrincipals } from '../auth/principals.ts'
import { setUp } from '../auth/set-up.ts'
import { createRemovalClock, type RemovalClock, whileBelieved } from '../clock/removal.ts'
import type { OwnerKey } from '../data-dir/admin-protocol.ts'
import { trashLimitsOf } from '../deployments/caps.ts'
import { sweepBuilds } from '../deployments/queued/sweep.ts'
import { createDomainResolver } from '../domains/check/resolver.ts'
import { limitGuesses } from '../edge/authenticate.ts'
import { createSites } from '../edge/sites.ts'
import { createMetrics } from '../internal/metrics/metrics.ts'
import { limitsStoreOf, policiesOf } from '../limits/from-settings.ts'
import { openLimits } from '../limits/open-limits.ts'
import type { Logger } from '../log/logger.ts'
import type { Listening } from '../net/listen.ts'
import { createReach } from '../net/reach.ts'
import { createTrafficCounter } from '../observability/metrics/count.ts'
import { createReadiness } from '../observability/readiness.ts'
import { listenAdmin } from '../server/admin-socket.ts'
import { defaultTimeouts, type Timeouts } from '../server/deps.ts'
import type { RoleName } from '../settings/kinds.ts'
import type { Settings } from '../settings/variables.ts'
import { startLoop, type Task } from '../worker/loop.ts'
import type { Routing } from '../zones/edge-targets.ts'
import { saveZoneSettings } from '../zones/save-settings.ts'
import { nameserversOf } from '../zones/soa.ts'
import { createAdminHandlers, createPersonLink } from './admin.ts'
import { startApi } from './api.ts'
import { buildLimitsOf } from './builds.ts'
import { startDns } from './dns.ts'
import { publicSitesUrl, startEdge } from './edge.ts'
import { type Installation, openInstallation } from './installation.ts'
import { startInternal } from './internal.ts'
import { createObservers, seriesOf } from './metrics.ts'
import { publicUrl } from './public-url.ts'
import { startWorker } from './worker.ts'

export type Node = {
  apiUrl: string
  sitesUrl: string
  /** Where operators and their proxies may ask. */
  internalPort: number
  /** The port of the name server, where this node has one. */
  dnsPort: number | undefined
  /** The first owner key, where this was the first start on an empty database. */
  firstKey: OwnerKey | undefined
  /** With it, the address at which the first user sets a password. */
  firstLink: string | undefined
  /** Takes no new requests, lets those under way end within `SVC_STOP_MS`, writes what was gathered, closes. */
  stop(): Promise<void>
}

type Options = { log: Logger; nowMs?: () => number; timeouts?: Timeouts }

const lastUsedFlushMs = 1_000

/**
 * No more than a second is lost with a node: answers wait 50 ms to be counted, then this long, and for the write that is under
 * way and their own, which may take a while on a busy machine.
 */
const trafficFlushMs = 500

const sweepBuildsMs = 5_000

const lookAtClockMs = 10_000

/** Opens the installation and starts a node on it. @throws as `openInstallation` and `runNode` do. */
export async function startNode(settings: Settings, options: Options): Promise<Node> {
  return runNode(await openInstallation(settings), settings, options)
}

/**
 * Starts a node on an open installation, which is closed when the node stops or can't start; the node is ready when
 * this returns.
 * @throws SettingsError when a port is taken.
 */
export async function runNode(
  installation: Installation,
  settings: Settings,
  { log, nowMs = installation.nowMs, timeouts = defaultTimeouts }: Options,
): Promise<Node> {
  // What has been started, in order; stopping goes the other way.
  const stops: (() => Promise<void>)[] = [installation.close]
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    for (const each of stops.splice(0).reverse()) {
      // With a store away one step may fail: what comes after it has to be closed all the same.
      await each().catch((error: unknown) =>
        log.error({ err: error }, 'A part of this node did not stop cleanly.'),
      )
    }
  }
  try {
    const { store, keys } = installation
    const removal = createRemovalClock({ db: store.db, nowMs, jumpDays: settings.SVC_CLOCK_JUMP_DAYS, log })
    await removal.look()
    const { apiUrl, sitesUrl, internalPort, dnsPort } = await startRoles(
      settings,
      installation,
      { log, nowMs, timeouts, removal },
      stops,
      stopping.signal,
    )
    const { blobs } = installation
    const trash = trashLimitsOf(settings)
    const handlers = createAdminHandlers({ store, blobs, keys, apiUrl, trash, nowMs, removal })
    const admin = await listenAdmin({ directory: settings.SVC_DATA_DIR, handlers, log })
    stops.push(admin.close)
    // Last, so that a start that fails doesn't use up the one time at which the key is shown.
    const firstKey = await setUp(store, keys.check, nowMs())
    const firstLink = firstKey && (await createPersonLink({ store, apiUrl, nowMs })).url
    return { apiUrl, sitesUrl, internalPort, dnsPort, firstKey, firstLink, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startRoles(
  settings: Settings,
  installation: Installation,
  { log, nowMs, timeouts, removal }: Required<Options> & { removal: RemovalClock },
  stops: (() => Promise<void>)[],
  stopping: AbortSignal,
): Promise<Pick<Node, 'apiUrl' | 'sitesUrl' | 'internalPort' | 'dnsPort'>> {
  const { store } = installation
  const observers = createObservers()
  const { observe } = observers
  const has = (role: RoleName) => settings.SVC_ROLES.includes(role)
  const routing = routingOf(settings)
  const reach = createReach({
    own: routing.addresses,
    resolvePrivate: settings.SVC_RESOLVE_PRIVATE,
  })
  const resolver = createDomainResolver({
    servers: settings.SVC_RESOLVERS,
    cname: routing.cname,
    reach,
    nowMs,
    stopping,
  })
  const lastUsed = createLastUsed(store.db)
  stops.push(lastUsed.flush)
  const traffic = createTrafficCounter({ db: store.db, nowMs, log })
  stops.push(traffic.flush)

  const { SVC_JWT_SECRET: secret, SVC_JWT_SECRET_PREVIOUS: previous } = settings
  const jwts = secret === undefined ? undefined : await createJwts(secret, previous)
  const limits = await openLimits({ policies: policiesOf(settings), store: limitsStoreOf(settings), log })
  stops.push(async () => limits.close())
  const principals = createPrincipals({ store, lastUsed, jwts, lookUps: limits.lookUps, nowMs })

  // Its host, which is what matters here, doesn't depend on the port.
  const ownSitesUrl = publicSitesUrl(settings, settings.SVC_EDGE_PORT)
  const nameservers = nameserversOf(settings.SVC_NAMESERVERS, ownSitesUrl)
  await saveZoneSettings(store, { routing, nameservers }, nowMs())

  const sites = createSites(store)
  stops.push(async () => sites.stop())

  const listening: Listening[] = []
  // All at once, since the time for it is that of the whole stop.
  stops.push(async () => {
    await Promise.all(listening.map(({ close }) => close(settings.SVC_STOP_MS)))
  })
  const start = async (role: Promise<Listening>) => {
    const started = await role
    listening.push(started)
    return started.port
  }
  const authenticate = limitGuesses(principals.find, limits.of.anonymous.limiter)
  const edgePort = has('edge')
    ? await start(
        startEdge({
          ...{ settings, installation, sites, authenticate, log, nowMs },
          observe(answered) {
            traffic.count(answered)
            observe.edge(answered)
          },
        }),
      )
    : settings.SVC_EDGE_PORT
  const sitesUrl = publicSitesUrl(settings, edgePort)
  const flush: Task = {
    name: 'write last_used_ms',
    everyMs: lastUsedFlushMs,
    run: () => lastUsed.flush().then(() => false),
  }
  const flushTraffic: Task = {
    name: 'write counts of requests',
    everyMs: trafficFlushMs,
    run: () => traffic.flush().then(() => false),
  }
  const sweep: Task = {
    name: 'end builds past their time',
    everyMs: sweepBuildsMs,
    // All that waits or runs would be past its time.
    run: whileBelieved(removal, () =>
      sweepBuilds({ store, sitesUrl, nowMs, limits: buildLimitsOf(settings) }),
    ),
  }
  const look: Task = {
    name: 'look at the clock',
    everyMs: lookAtClockMs,
    run: () => removal.look().then(() => false),
  }
  const flushes = has('edge') ? [flush, flushTraffic, look] : [flush, look]
  const tasks = has('worker') || has('api') ? [...flushes, sweep] : flushes
  stops.push(startLoop(tasks, log, observe.work.taskFailed))
  const worker = has('worker')
    ? await startWorker(settings, {
        ...{ installation, sitesUrl, resolver, routing, log, nowMs, removal, stopping },
        observe: observe.work,
      })
    : undefined
  if (worker) stops.push(worker.stop)
  const asked = seriesOf({ settings, store, principals, sites, limits, removal, nowMs })
  let isListening = false
  const readiness = createReadiness({
    ...{ store, blobs: installation.blobs, limits, removal, roles: settings.SVC_ROLES, stopping, log },
    isListening: () => isListening,
  })
  const metrics = createMetrics([...asked, ...observers.series])
  const internalPort = await start(startInternal(settings, { sites, metrics, readiness, log }))
  const dnsPort =
    has('dns') && settings.SVC_DNS_PORT !== undefined
      ? await start(
          startDns(settings, {
            ...{ store, sitesUrl, port: settings.SVC_DNS_PORT, log, observe: observe.dns },
            ...{ reach, edgeName: routing.cname },
          }),
        )
      : undefined
  if (!has('api')) {
    isListening = true
    const ports = { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT }
    return { apiUrl: publicUrl(settings, ports), sitesUrl, internalPort, dnsPort }
  }
  const api = await startApi({
    settings,
    installation,
    sitesUrl,
    routing,
    resolver,
    jwts,
    principals,
    limits,
    readiness,
    observe: observe.api,
    // Nothing is known here of what workers elsewhere can do.
    buildProblem: worker?.buildProblem ?? (async () => undefined),
    timeouts,
    log,
    nowMs,
    stopping,
  })
  listening.push(api)
  isListening = true
  return { apiUrl: api.url, sitesUrl, internalPort, dnsPort }
}

/** Unless the settings say otherwise, domains are to point to where this node listens, if that is one address. */
function routingOf({ SVC_EDGE_ADDRESSES, SVC_EDGE_CNAME, SVC_HOST }: Settings): Routing {
  const own = isIP(SVC_HOST) !== 0 && SVC_HOST !== '0.0.0.0' && SVC_HOST !== '::' ? [SVC_HOST] : []
  return { addresses: SVC_EDGE_ADDRESSES ?? own, cname: SVC_EDGE_CNAME }
}
