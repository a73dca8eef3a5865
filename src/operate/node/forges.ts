/** Starts deploying what is pushed to repositories at forges. */
import { capsOf } from '../../platform/deployments/caps.ts'
import { startForgeDeliveries } from '../../platform/forges/deliveries/delivery-loop.ts'
import { startReports } from '../../platform/forges/reports/report-loop.ts'
import { gitLeasesOf } from '../../platform/git/git-leases.ts'
import { storageLimitsOf } from '../../platform/limits/limits-from-settings.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { createKnownBlobs } from '../../stores/blobs/known-blobs.ts'
import type { NodeContext } from './context.ts'
import { gitOf } from './data-places.ts'

type Deps = Pick<
  NodeContext,
  'settings' | 'installation' | 'forges' | 'forgeFetchFor' | 'gitKeepers' | 'gitProcesses' | 'log' | 'nowMs'
> &
  SiteUrls & {
    buildProblem: () => Promise<string | undefined>
    apiUrl: () => string | undefined
  }

/** The returned function stops, and resolves when what ran is left to others. */
export function startForges(deps: Deps): () => Promise<void> {
  const stopDeliveries = startDeliveriesOf(deps)
  const { installation, forgeFetchFor, sitesUrl, apiUrl, log, nowMs } = deps
  const stopReports = startReports({
    store: installation.store,
    sitesUrl,
    apiUrl,
    envKey: installation.keys.env,
    fetchFor: forgeFetchFor,
    log,
    nowMs,
  })
  return async () => {
    await Promise.all([stopDeliveries(), stopReports()])
  }
}

function startDeliveriesOf(deps: Deps): () => Promise<void> {
  const { settings, installation, log, nowMs, sitesUrl, certifiedUrl, buildProblem } = deps
  const { store, blobs, keys } = installation
  return startForgeDeliveries({
    store,
    blobs,
    sitesUrl,
    certifiedUrl,
    // Nothing that a worker makes leads there.
    get apiUrl() {
      return deps.apiUrl() ?? ''
    },
    knownBlobs: createKnownBlobs(),
    storage: storageLimitsOf(settings),
    uploadKey: keys.uploads,
    envKey: keys.env,
    caps: capsOf(settings),
    buildProblem,
    maxQueuedBuilds: settings.SVC_BUILD_QUEUE,
    disk: installation.disk,
    git: gitOf(settings),
    forges: deps.forges,
    reading: gitLeasesOf(deps.gitKeepers).reading,
    concurrency: concurrencyOf(deps.gitProcesses.count),
    log,
    nowMs,
  })
}

/** The most deliveries at a time: fetches are mostly waiting, hashing is not. */
const most = 4

/** A forge that is slow leaves half of the processes to pushes. */
function concurrencyOf(processes: number): number {
  return Math.max(1, Math.min(most, Math.floor(processes / 2)))
}
