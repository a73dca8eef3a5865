/** The recurring work of every node, whatever its roles: writing counts, and looking at the clock. */
import { failOverdueBuilds } from '../../platform/deployments/queued/fail-overdue.ts'
import { watchMakers } from '../../platform/deployments/queued/watch-makers.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { startLoop, type Task } from '../../roles/worker/loop.ts'
import { journalsOf } from '../../stores/blobs/open-store.ts'
import { removeLeftPuts } from '../../stores/blobs/remove-left-puts.ts'
import { whileBelieved } from '../../stores/clock/removal.ts'
import { removeLeftWorkspace } from '../backup/workspace.ts'
import { buildLimitsOf } from './builds.ts'
import type { NodeContext } from './context.ts'

const lastUsedFlushMs = 1_000

/**
 * A crash loses at most a second: responses are counted within 50 ms, then this long passes, and the write
 * itself, which may take a while on a busy machine.
 */
const trafficFlushMs = 500

const refusalsFlushMs = 1_000

const sweepBuildsMs = 5_000

const lookAtClockMs = 10_000

const tidyRepositoriesMs = 30_000

const tidyBackupsMs = 30_000

const tidyPutsMs = 20_000

/** Starts these tasks, and ends builds of former makers; closing it waits for what is under way. */
export function startUpkeep(context: NodeContext & SiteUrls): { close(): Promise<void> } {
  const { settings, log, observers } = context
  const mayHaveBuilds = settings.SVC_ROLES.some((role) => role === 'worker' || role === 'api')
  const mayPut = settings.SVC_ROLES.some((role) => role !== 'dns')
  const tasks = [
    ...upkeepOfProcess(context),
    tidyBackups(context),
    ...(mayPut ? [tidyPuts(context)] : []),
    ...(mayHaveBuilds ? [endBuilds(context), tidyRepositories(context)] : []),
  ]
  const makers = mayHaveBuilds ? watchMakers({ ...context, store: context.installation.store }) : undefined
  const stopTasks = startLoop(tasks, log, observers.observe.work.taskFailed)
  return {
    async close() {
      await Promise.all([stopTasks(), makers?.close()])
    },
  }
}

/** The counters of each process of a node. */
export function upkeepOfProcess(context: NodeContext): Task[] {
  const { SVC_ROLES: roles } = context.settings
  return [
    flushLastUsed(context),
    lookAtClock(context),
    ...(roles.includes('edge') ? [flushTraffic(context)] : []),
    ...(roles.includes('api') ? [flushRefusals(context)] : []),
  ]
}

function flushLastUsed({ lastUsed }: NodeContext): Task {
  return {
    name: 'write last_used_ms',
    everyMs: lastUsedFlushMs,
    run: async () => {
      await Promise.all([lastUsed.keys.flush(), lastUsed.sessions.flush()])
      return false
    },
  }
}

function lookAtClock({ removal }: NodeContext): Task {
  return { name: 'check the clock', everyMs: lookAtClockMs, run: () => removal.look().then(() => false) }
}

function flushTraffic({ traffic }: NodeContext): Task {
  return {
    name: 'write traffic counts',
    everyMs: trafficFlushMs,
    run: () => traffic.flush().then(() => false),
  }
}

function flushRefusals({ forgeRefusals }: NodeContext): Task {
  return {
    name: 'write refused deliveries',
    everyMs: refusalsFlushMs,
    run: () => forgeRefusals.flush().then(() => false),
  }
}

function tidyRepositories({ repositories, nowMs }: NodeContext): Task {
  return {
    name: 'tidy repositories',
    everyMs: tidyRepositoriesMs,
    // At the start they have been tidied.
    firstAfterMs: tidyRepositoriesMs,
    run: () => repositories.keepAll(nowMs()).then(() => false),
  }
}

function tidyBackups({ settings }: NodeContext): Task {
  return {
    name: 'remove what backups left',
    everyMs: tidyBackupsMs,
    run: () => removeLeftWorkspace(settings.SVC_DATA_DIR).then(() => false),
  }
}

function tidyPuts({ settings, installation }: NodeContext): Task {
  const { store, blobs, tenure } = installation
  const deps = { db: store.db, blobs, directory: journalsOf(settings), tenure }
  return {
    name: 'remove what uploads left',
    everyMs: tidyPutsMs,
    run: () => removeLeftPuts(deps, Date.now()).then(() => false),
  }
}

function endBuilds({
  settings,
  installation,
  removal,
  nowMs,
  sitesUrl,
  certifiedUrl,
}: NodeContext & SiteUrls): Task {
  const { store } = installation
  const limits = buildLimitsOf(settings)
  return {
    name: 'end overdue builds',
    everyMs: sweepBuildsMs,
    // After a clock jump everything queued or running would be overdue.
    run: whileBelieved(removal, () => failOverdueBuilds({ store, sitesUrl, certifiedUrl, nowMs, limits })),
  }
}
