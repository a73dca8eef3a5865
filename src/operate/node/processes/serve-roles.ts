/** Starts the API and the edge in one of several processes of a node. */

import type { RoleName } from '../../../lib/settings/kinds.ts'
import { cacheSeries } from '../../../roles/internal/metrics/cache-series.ts'
import type { Series } from '../../../roles/internal/metrics/series.ts'
import { startLoop, type Task } from '../../../roles/worker/loop.ts'
import { startApi } from '../api.ts'
import type { NodeContext } from '../context.ts'
import { startCountedEdge } from '../edge.ts'
import { createListeners } from '../listeners.ts'
import type { Parts } from '../parts.ts'
import { edgePortsOf, knownApiUrl, siteUrlsOf } from '../public-url.ts'
import { upkeepOfProcess } from '../upkeep.ts'
import type { Channel } from './channel.ts'
import type { Places, ToFirst } from './messages.ts'

const reportMs = 1_000

export type Served = { places: Places; stopAccepting(): Promise<void> }

/**
 * Resolves once all ports listen, and has `first` do what is done once for all.
 * @throws SettingsError when a port is in use, or the certificate can't be used.
 */
export async function serveRoles(
  context: NodeContext,
  first: Channel<ToFirst>,
  parts: Parts,
): Promise<Served> {
  const { settings, observers, log } = context
  const { observe } = observers
  const has = (role: RoleName) => settings.SVC_ROLES.includes(role)
  const listeners = parts.add(createListeners(settings.SVC_STOP_MS))
  let apiUrl = knownApiUrl(settings)
  const edge = has('edge')
    ? listeners.add(await startCountedEdge({ ...context, servers: context.together?.servers }, () => apiUrl))
    : undefined
  const urls = siteUrlsOf(settings, edge ?? edgePortsOf(settings))
  const tasks = [...upkeepOfProcess(context), reportLimits(context, first)]
  parts.add({ close: startLoop(tasks, log, observe.work.taskFailed) })
  const readiness = () => first.request('readiness', undefined)
  const buildProblem = async () => (await first.request('buildProblem', undefined)).problem
  const api = has('api')
    ? listeners.add(await startApi({ ...context, ...urls, readiness, buildProblem, observe: observe.api }))
    : undefined
  if (api) apiUrl = api.url
  const ports = {
    ...(edge && { SVC_EDGE_PORT: edge.port, SVC_EDGE_TLS_PORT: edge.tlsPort }),
    ...(api && { SVC_PORT: api.port, SVC_TLS_PORT: api.tlsPort }),
  }
  return {
    places: { ports, apiUrl: api?.url, ...urls },
    async stopAccepting() {
      await Promise.all([edge?.stopAccepting(), api?.stopAccepting()])
    },
  }
}

/** The series that are added up over the processes of a node. */
export function seriesOfProcess({ observers, principals, sites }: NodeContext): Series[] {
  return [...observers.series, ...cacheSeries({ ...principals.stats, sites: sites.stats })]
}

/** Only a process that draws from the buckets in Redis notices at once that it is away. */
function reportLimits({ limits }: NodeContext, first: Channel<ToFirst>): Task {
  let reported = false
  return {
    name: 'report rate limits',
    everyMs: reportMs,
    async run() {
      const isDegraded = limits.state() === 'degraded'
      if (isDegraded !== reported) first.notify('limitsDegraded', isDegraded)
      reported = isDegraded
      return false
    },
  }
}
