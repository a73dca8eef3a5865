/** Starts the roles that a node was given, in the order in which they need one another. */

import { emptyZips } from '../../api/server/http/zip-intake.ts'
import type { RoleName } from '../../lib/settings/kinds.ts'
import { endLeftProcesses } from '../../platform/git/end-left.ts'
import { removeAllLeft } from '../../platform/git/remove-left.ts'
import { gitVersion } from '../../platform/git/run-git.ts'
import type { Limits } from '../../platform/limits/open-limits.ts'
import type { NodeAlerts } from '../../platform/observability/alerts/node-alerts.ts'
import { createReadiness, type LookAtReadiness } from '../../platform/observability/readiness.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { noServers } from '../../platform/servers/servers.ts'
import { saveZoneSettings } from '../../platform/zones/save-settings.ts'
import { nameserversOf } from '../../platform/zones/soa.ts'
import { createMetrics } from '../../roles/internal/metrics/metrics.ts'
import type { Series } from '../../roles/internal/metrics/series.ts'
import { startAlerts } from './alerts.ts'
import { startApi } from './api.ts'
import { startBackups } from './backups.ts'
import type { NodeContext } from './context.ts'
import { gitOf, zipsOf } from './data-places.ts'
import { startDns } from './dns.ts'
import { startCountedEdge } from './edge.ts'
import { startInternal } from './internal.ts'
import { createListeners } from './listeners.ts'
import { seriesOf } from './metrics.ts'
import type { Parts } from './parts.ts'
import { processesOf } from './processes/count.ts'
import type { Processes } from './processes/start.ts'
import { edgePortsOf, knownApiUrl, publicSitesUrl, siteUrlsOf } from './public-url.ts'
import { openSandbox } from './sandbox.ts'
import { type NodeServers, openServers } from './servers.ts'
import { startUpkeep } from './upkeep.ts'
import { startWorker } from './worker.ts'

/** Where a node's roles listen. */
export type Addresses = SiteUrls & {
  /** Undefined where it is another node's, and no setting says it. */
  apiUrl: string | undefined
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
  if (has('api')) await emptyZips(zipsOf(settings))
  if (has('api') || has('worker')) {
    await prepareGit(context)
  }
  let sitesUrl = publicSitesUrl(settings, settings.SVC_EDGE_PORT)
  const sandbox = has('edge') || has('worker') ? parts.add(await openSandbox(context)) : undefined
  // Ended once nothing is passed on to them any more.
  const servers =
    sandbox && has('edge')
      ? parts.add(
          await openServers({ ...context, sandbox, sitesUrl: () => sitesUrl, observe: observe.servers }),
        )
      : undefined
  const listeners = parts.add(createListeners(settings.SVC_STOP_MS))
  let isListening = false
  let others: Processes | undefined
  // Whether workers on other nodes can build is unknown here.
  const buildProblem = async () => (has('worker') ? sandbox?.buildProblem() : undefined)
  const limits: Pick<Limits, 'state'> = {
    state: () => (others?.areLimitsDegraded() ? 'degraded' : context.limits.state()),
  }
  const alerts = parts.add(await startAlerts(context))
  const backups = has('worker') ? await startBackups(context) : undefined
  if (backups) parts.add(backups)
  const readiness = readinessOf({ ...context, alerts }, limits, {
    isListening: () => isListening && others?.areListening() !== false,
    late: () => others?.late() ?? [],
  })

  const processes = processesOf(settings)
  if (processes > 1) {
    // Not loaded for one process.
    const { startProcesses } = await import('./processes/start.ts')
    others = listeners.add(
      await startProcesses(context, { processes, servers: servers ?? noServers, readiness, buildProblem }),
    )
  }
  let apiUrl = others?.apiUrl ?? knownApiUrl(settings)
  const edge =
    has('edge') && !others
      ? listeners.add(await startCountedEdge({ ...context, servers }, () => apiUrl))
      : undefined
  const { certifiedUrl, ...found } = others ?? siteUrlsOf(settings, edge ?? edgePortsOf(settings))
  sitesUrl = found.sitesUrl
  const urls = { sitesUrl, certifiedUrl }
  parts.add(startUpkeep({ ...context, ...urls }))
  if (sandbox && has('worker'))
    parts.add(
      await startWorker({ ...context, ...urls, sandbox, apiUrl: () => apiUrl, observe: observe.work }),
    )
  const metrics = createMetrics(seriesOfNode({ ...context, alerts, servers }, limits), others?.readings)
  const internal = listeners.add(await startInternal({ ...context, metrics, readiness }))
  const port = has('dns') ? settings.SVC_DNS_PORT : undefined
  const dns =
    port === undefined
      ? undefined
      : listeners.add(await startDns({ ...context, sitesUrl, port, observe: observe.dns }))
  const api =
    has('api') && !others
      ? listeners.add(await startApi({ ...context, ...urls, readiness, buildProblem, observe: observe.api }))
      : undefined
  isListening = true
  if (api) apiUrl = api.url
  return { apiUrl, ...urls, internalPort: internal.port, dnsPort: dns?.port }
}

/** Clears what an earlier process left, and says what git may use. */
async function prepareGit({ settings, gitProcesses: { count, bytes }, log }: NodeContext): Promise<void> {
  const left = await endLeftProcesses(gitOf(settings))
  if (left > 0) log.warn(`Processes of git that an earlier node left: ${left}. They have been ended.`)
  await removeAllLeft(gitOf(settings))
  if ((await gitVersion()) === undefined)
    return log.warn(
      'git, or prlimit and setpriv of util-linux, are not installed here: pushes with git are refused, and ' +
        'repositories at forges are not deployed.',
    )
  log.info(
    `Git reads in ${count} processes at most, of ${Math.floor(bytes / 1024 ** 2)} MiB each: ` +
      'they use at most a quarter of the memory together (SVC_GIT_PROCESSES).',
  )
}

async function saveZones({ settings, installation, routing, nowMs }: NodeContext): Promise<void> {
  // Only its host matters here, which doesn't depend on the port.
  const sitesUrl = publicSitesUrl(settings, settings.SVC_EDGE_PORT)
  const nameservers = nameserversOf(settings.SVC_NAMESERVERS, sitesUrl)
  await saveZoneSettings(installation.store, { routing, nameservers }, nowMs())
}

function readinessOf(
  context: NodeContext & { alerts: NodeAlerts },
  limits: Pick<Limits, 'state'>,
  processes: { isListening(): boolean; late(): number[] },
): LookAtReadiness {
  const { settings, installation, alerts, stopping, log } = context
  const { store, blobs } = installation
  const stores = { store, blobs, limits, alerts }
  return createReadiness({
    ...stores,
    roles: settings.SVC_ROLES,
    servesStale: settings.SVC_STALE_S > 0,
    ...processes,
    stopping,
    log,
  })
}

function seriesOfNode(
  context: NodeContext & { alerts: NodeAlerts; servers: NodeServers | undefined },
  limits: Pick<Limits, 'state'>,
): Series[] {
  const { store } = context.installation
  return [...seriesOf({ ...context, store, limits }), ...context.observers.series]
}
