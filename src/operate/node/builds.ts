/** Starts building deployments. */
import { join } from 'node:path'
import type { Settings } from '../../lib/settings/variables.ts'
import { createBuildQueue } from '../../platform/builds/build-queue.ts'
import { type CacheStore, openCacheStore, removeCaches } from '../../platform/builds/cache/store.ts'
import { sweepCaches } from '../../platform/builds/cache/sweep.ts'
import { capsOf } from '../../platform/deployments/caps.ts'
import { endLeases } from '../../platform/deployments/queued/claim-build.ts'
import type { BuildLimits } from '../../platform/deployments/queued/fail-overdue.ts'
import { storageLimitsOf } from '../../platform/limits/limits-from-settings.ts'
import type { WorkObserver } from '../../platform/observability/observers.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import { sweepTask } from '../../roles/worker/sweep.ts'
import type { DiskReserve } from '../../stores/data-dir/disk-reserve.ts'
import { startQueue } from '../../stores/queue/queue.ts'
import { networkOf, untrustedNetworkOf } from './build-networks.ts'
import type { NodeContext } from './context.ts'
import { workspacesOf } from './data-places.ts'
import type { NodeSandbox } from './sandbox.ts'

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'sandboxUids' | 'log' | 'nowMs' | 'removal'> &
  SiteUrls & {
    sandbox: NodeSandbox
    observe: Pick<WorkObserver, 'built' | 'taskFailed'>
  }

type Builds = {
  /** Kills running builds, which are queued again. */
  close(): Promise<void>
}

/** Starts to build queued deployments. */
export async function startBuilds(deps: Deps): Promise<Builds> {
  const { settings, installation, sandbox, sandboxUids: uids, log, nowMs } = deps
  const { store, blobs, keys } = installation
  const { node, hasGroups, runDirectory, wayOut } = sandbox
  const caches = await openCaches(settings, installation.disk)
  // The embedded database has one node: whoever claimed a build is dead.
  if (settings.DATABASE_URL === undefined) await endLeases({ store, nowMs })
  const { SVC_BUILD_SANDBOX: isolation } = settings
  const buildCaps = {
    timeoutS: settings.SVC_BUILD_TIMEOUT_S,
    memoryBytes: settings.SVC_BUILD_MEMORY_BYTES,
    diskBytes: settings.SVC_BUILD_DISK_BYTES,
  }
  const queue = createBuildQueue(
    {
      store,
      blobs,
      sitesUrl: deps.sitesUrl,
      certifiedUrl: deps.certifiedUrl,
      envKey: keys.env,
      caps: capsOf(settings),
      storage: storageLimitsOf(settings),
      nowMs,
      log,
      root: workspacesOf(settings),
      disk: installation.disk,
      isolation,
      node,
      uids,
      network: networkOf(settings),
      untrustedNetwork: untrustedNetworkOf(settings),
      buildCaps,
      servers:
        runDirectory === undefined
          ? undefined
          : { isolation, root: runDirectory, uids, node, hasGroups, wayOut, nowMs },
      buildProblem: sandbox.buildProblem,
      caches,
      observe: deps.observe.built,
    },
    { concurrency: settings.SVC_BUILD_CONCURRENCY },
  )
  const stopQueue = startQueue(queue, { changes: store.changes, log })
  const stopSweeps = caches ? startSweeps(deps, caches) : async () => {}
  return {
    async close() {
      await Promise.all([stopQueue(), stopSweeps()])
      await caches?.close()
    },
  }
}

/** The caches of builds on this node; undefined, and none are left, where they are off. */
async function openCaches(settings: Settings, disk: DiskReserve): Promise<CacheStore | undefined> {
  const root = join(settings.SVC_DATA_DIR, 'build-cache')
  const { SVC_BUILD_CACHE_BYTES: teamBytes } = settings
  if (teamBytes > 0) return openCacheStore(root, { teamBytes, disk })
  await removeCaches(root)
  return undefined
}

const sweepCachesMs = 60 * 60_000

function startSweeps(
  { installation: { store }, removal, log, observe }: Deps,
  caches: CacheStore,
): () => Promise<void> {
  const sweep = {
    name: 'remove build caches',
    everyMs: sweepCachesMs,
    by: 'each node',
    step: (nowMs: number) => sweepCaches({ db: store.db, store: caches }, nowMs),
    what: 'build caches that no build will use',
  } as const
  return startLoop([sweepTask({ db: store.db, removal, log }, sweep)], log, observe.taskFailed)
}

/** How long deployments may be queued and build, for the task that ends them. */
export function buildLimitsOf(settings: Settings): BuildLimits {
  return {
    queueTimeoutMs: settings.SVC_QUEUE_TIMEOUT_S * 1_000,
    buildTimeoutMs: settings.SVC_BUILD_TIMEOUT_S * 1_000,
  }
}
