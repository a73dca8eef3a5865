/** Starts the roles that a node was given, in the order in which they need one another. */
import { limitGuesses } from '../edge/authenticate.ts'
import { createMetrics } from '../internal/metrics/metrics.ts'
import type { Listening } from '../net/listen.ts'
import { createReadiness } from '../observability/readiness.ts'
import type { RoleName } from '../settings/kinds.ts'
import { saveZoneSettings } from '../zones/save-settings.ts'
import { nameserversOf } from '../zones/soa.ts'
import { startApi } from './api.ts'
import type { NodeContext } from './context.ts'
import { startDns } from './dns.ts'
import { publicSitesUrl, startEdge } from './edge.ts'
import { startInternal } from './internal.ts'
import { seriesOf } from './metrics.ts'
import type { Parts } from './parts.ts'
import { publicUrl } from './public-url.ts'
import { startUpkeep } from './upkeep.ts'
import { startWorker } from './worker.ts'

/** Where a node's roles listen. */
export type Addresses = {
  apiUrl: string
  sitesUrl: string
  /** The address of the internal port. */
  internalPort: number
  /** The port of the name server, if this node has one. */
  dnsPort: number | undefined
}

/** Resolves once all ports listen. @throws SettingsError when one is taken. */
export async function startRoles(context: NodeContext, parts: Parts): Promise<Addresses> {
  const { settings, observers } = context
  const { observe } = observers
  const has = (role: RoleName) => settings.SVC_ROLES.includes(role)
  await saveZones(context)
  const listeners = parts.add(createListeners(settings.SVC_STOP_MS))
  const edge = has('edge') ? listeners.add(await startCountedEdge(context)) : undefined
  const sitesUrl = publicSitesUrl(settings, edge?.port ?? settings.SVC_EDGE_PORT)
  parts.add(startUpkeep({ ...context, sitesUrl }))
  const worker = has('worker')
    ? parts.add(await startWorker({ ...context, sitesUrl, observe: observe.work }))
    : undefined
  let isListening = false
  const readiness = readinessOf(context, () => isListening)
  const internal = listeners.add(await startInternal({ ...context, metrics: metricsOf(context), readiness }))
  const port = has('dns') ? settings.SVC_DNS_PORT : undefined
  const dns =
    port === undefined
      ? undefined
      : listeners.add(await startDns({ ...context, sitesUrl, port, observe: observe.dns }))
  // Whether workers on other nodes can build is unknown here.
  const buildProblem = worker?.buildProblem ?? (async () => undefined)
  const api = has('api')
    ? listeners.add(await startApi({ ...context, sitesUrl, readiness, buildProblem, observe: observe.api }))
    : undefined
  isListening = true
  const ports = { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT }
  const apiUrl = api?.url ?? publicUrl(settings, ports)
  return { apiUrl, sitesUrl, internalPort: internal.port, dnsPort: dns?.port }
}

/** Closes what listens all at once, since `stopMs` is the time of the whole stop. */
function createListeners(stopMs: number) {
  const listeners: Listening[] = []
  return {
    add<L extends Listening>(listening: L): L {
      listeners.push(listening)
      return listening
    },
    async close() {
      await Promise.all(listeners.map(({ close }) => close(stopMs)))
    },
  }
}

async function saveZones({ settings, installation, routing, nowMs }: NodeContext): Promise<void> {
  // Only its host matters here, which doesn't depend on the port.
  const sitesUrl = publicSitesUrl(settings, settings.SVC_EDGE_PORT)
  const nameservers = nameserversOf(settings.SVC_NAMESERVERS, sitesUrl)
  await saveZoneSettings(installation.store, { routing, nameservers }, nowMs())
}

function startCountedEdge(context: NodeContext): Promise<Listening> {
  const { principals, limits, traffic, observers } = context
  return startEdge({
    ...context,
    authenticate: limitGuesses(principals.find, limits.of.anonymous.limiter),
    observe(answered) {
      traffic.count(answered)
      observers.observe.edge(answered)
    },
  })
}

function readinessOf(context: NodeContext, isListening: () => boolean) {
  const { settings, installation, limits, removal, stopping, log } = context
  const { store, blobs } = installation
  const stores = { store, blobs, limits, removal }
  return createReadiness({ ...stores, roles: settings.SVC_ROLES, isListening, stopping, log })
}

function metricsOf(context: NodeContext) {
  const { store } = context.installation
  return createMetrics([...seriesOf({ ...context, store }), ...context.observers.series])
}
