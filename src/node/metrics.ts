/** Collects the metrics of a node for `/metrics`. */
import type { Principals } from '../auth/principals.ts'
import type { RemovalClock } from '../clock/removal.ts'
import type { Store } from '../db/store.ts'
import type { Sites } from '../edge/sites.ts'
import { createApiSeries } from '../internal/metrics/api-series.ts'
import { cacheSeries } from '../internal/metrics/cache-series.ts'
import { createDnsSeries } from '../internal/metrics/dns-series.ts'
import { createEdgeSeries } from '../internal/metrics/edge-series.ts'
import { nodeSeries } from '../internal/metrics/node-series.ts'
import type { Series } from '../internal/metrics/series.ts'
import { storeSeries } from '../internal/metrics/store-series.ts'
import { createWorkSeries } from '../internal/metrics/work-series.ts'
import type { Limits } from '../limits/open-limits.ts'
import type { UnreadLimits } from '../net/unread/limits.ts'
import type { Settings } from '../settings/variables.ts'
import { version } from '../version.ts'

export type Observers = ReturnType<typeof createObservers>

/** An observer for each role, and the series that they count. */
export function createObservers() {
  const [api, edge, dns, work] = [
    createApiSeries(),
    createEdgeSeries(),
    createDnsSeries(),
    createWorkSeries(),
  ]
  return {
    observe: { api: api.observe, edge: edge.observe, dns: dns.observe, work: work.observe },
    series: [api, edge, dns, work].flatMap(({ series }) => series),
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
    ...storeSeries({ store, nowMs }),
    ...cacheSeries({ ...principals.stats, sites: sites.stats }),
  ]
}
