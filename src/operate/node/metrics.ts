/** Collects the metrics of a node for `/metrics`. */

import type { UnreadLimits } from '../../lib/net/unread/limits.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { version } from '../../lib/version.ts'
import type { Principals } from '../../platform/callers/authenticate.ts'
import type { Limits } from '../../platform/limits/open-limits.ts'
import type { NodeAlerts } from '../../platform/observability/alerts/node-alerts.ts'
import type { ServerPool } from '../../platform/servers/servers.ts'
import type { Sites } from '../../roles/edge/sites.ts'
import { alertSeries } from '../../roles/internal/metrics/alert-series.ts'
import { createApiSeries } from '../../roles/internal/metrics/api-series.ts'
import { cacheSeries } from '../../roles/internal/metrics/cache-series.ts'
import { createDnsSeries } from '../../roles/internal/metrics/dns-series.ts'
import { createEdgeSeries } from '../../roles/internal/metrics/edge-series.ts'
import { nodeSeries } from '../../roles/internal/metrics/node-series.ts'
import type { Series } from '../../roles/internal/metrics/series.ts'
import { createServerEvents, serverSeries } from '../../roles/internal/metrics/server-series.ts'
import { storeSeries } from '../../roles/internal/metrics/store-series.ts'
import { createWorkSeries } from '../../roles/internal/metrics/work-series.ts'
import type { RemovalClock } from '../../stores/clock/removal.ts'
import type { Store } from '../../stores/db/store.ts'

export type Observers = ReturnType<typeof createObservers>

/** An observer for each role, and the series that they count. */
export function createObservers() {
  const [api, edge, servers, dns, work] = [
    createApiSeries(),
    createEdgeSeries(),
    createServerEvents(),
    createDnsSeries(),
    createWorkSeries(),
  ]
  return {
    observe: {
      api: api.observe,
      edge: edge.observe,
      servers: servers.observe,
      dns: dns.observe,
      work: work.observe,
    },
    series: [api, edge, servers, dns, work].flatMap(({ series }) => series),
  }
}

type Parts = {
  settings: Settings
  store: Pick<Store, 'db'>
  principals: Pick<Principals, 'stats'>
  sites: Pick<Sites, 'stats'>
  limits: Pick<Limits, 'state'>
  removal: Pick<RemovalClock, 'jumpMs'>
  unread: Pick<UnreadLimits, 'unreadBytes'>
  alerts: Pick<NodeAlerts, 'look'>
  /** Undefined where the node runs none. */
  servers: Pick<ServerPool, 'list' | 'waiting'> | undefined
  nowMs: () => number
}

/** The series that are sampled at each scrape. */
export function seriesOf({
  settings,
  store,
  principals,
  sites,
  limits,
  removal,
  unread,
  alerts,
  servers,
  nowMs,
}: Parts): Series[] {
  return [
    ...nodeSeries({
      version,
      roles: settings.SVC_ROLES,
      dataDirectory: settings.SVC_DATA_DIR,
      limits: limits.state,
      clockJumpMs: removal.jumpMs,
      unreadBytes: unread.unreadBytes,
    }),
    ...alertSeries({ alerts, nowMs }),
    ...storeSeries({ store, nowMs }),
    ...(servers ? serverSeries(servers) : []),
    ...cacheSeries({ ...principals.stats, sites: sites.stats }),
  ]
}
