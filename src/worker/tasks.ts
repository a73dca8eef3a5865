/** What recurs on a node with the role `worker`. */
import type { BlobStore } from '../blobs/blob-store.ts'
import { encodeDue } from '../blobs/encode-due.ts'
import type { Store } from '../db/store.ts'
import { collectBlobs, collectManifests } from '../deployments/collect.ts'
import { expirePreviews } from '../deployments/expire.ts'
import type { TrashLimits } from '../deployments/sweep-stray.ts'
import { checkDue } from '../domains/check/due.ts'
import type { DomainResolver } from '../domains/check/resolver.ts'
import { forgetKeys } from '../idempotency/forget.ts'
import type { Logger } from '../log.ts'
import { forgetEvents, forgetLines } from '../observability/logs/retention.ts'
import { forgetGone, forgetTraffic } from '../observability/metrics/forget.ts'
import { sumUp } from '../observability/metrics/sum-up.ts'
import { takeTurn } from '../queue/turns.ts'
import type { Routing } from '../zones/edge-targets.ts'
import type { Task } from './loop.ts'
import { strayStep } from './stray.ts'
import { type Sweep, sweepTask } from './sweep.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A new deployment is compressed soon; asking for what is due costs one look into an index. */
const encodeEveryMs = 1_000

/** Somebody may be waiting for it. */
const checkEveryMs = 1_000

type Deps = {
  store: Store
  blobs: BlobStore
  sitesUrl: string
  resolver: DomainResolver
  routing: Routing
  /** For how long events and lines of builds are kept. */
  logDays: number
  /** For how long lines of requests are kept. */
  requestLogDays: number
  /** For how long counts of requests to sites are kept. */
  metricsDays: number
  trash: TrashLimits
  /** Is told how many objects that no row names were left where they are, since they were too many. */
  strayLeft: (count: number) => void
  nowMs: () => number
  /** Aborts as soon as the node begins to stop. */
  stopping: AbortSignal
  log: Logger
}

/** The recurring tasks over these stores. */
export function workerTasks(deps: Deps): Task[] {
  const { store, blobs, resolver, routing, nowMs, stopping, log } = deps
  return [
    ...sweeps(deps).map((sweep) => sweepTask({ db: store.db, log }, sweep)),
    {
      name: 'compress blobs',
      everyMs: encodeEveryMs,
      run: (stopping) => encodeDue({ db: store.db, blobs, nowMs, stopping }),
    },
    {
      name: 'check domains',
      everyMs: checkEveryMs,
      run: () => checkDue({ store, resolver, routing, nowMs, stopping }),
    },
    sumUpTask(deps),
  ]
}

function sumUpTask({ store: { db }, nowMs }: Deps): Task {
  const name = 'sum up counts of requests'
  return {
    name,
    everyMs: minuteMs,
    run: async (stopping) => {
      if (!(await takeTurn(db, name, minuteMs))) return false
      while (!stopping.aborted && (await sumUp({ db, nowMs: nowMs() })) > 0);
      return false
    },
  }
}

function sweeps(deps: Deps): Sweep[] {
  const { store, blobs, sitesUrl, logDays, requestLogDays, metricsDays, nowMs } = deps
  const { db } = store
  const keptFor = (days: number) => ({ db, beforeMs: nowMs() - days * dayMs })
  const now = () => ({ db, blobs, nowMs: nowMs() })
  const older = (days: number) => `older than ${days} ${days === 1 ? 'day' : 'days'}`
  return [
    {
      name: 'expire previews',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => expirePreviews({ store, sitesUrl, nowMs: nowMs() }),
      what: 'previews past their time',
    },
    {
      name: 'forget idempotency keys',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetKeys(now()),
      what: 'idempotency keys past their time',
    },
    {
      name: 'forget log lines',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetLines(keptFor(logDays), 'build'),
      what: `log lines ${older(logDays)}`,
    },
    {
      name: 'forget requests',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetLines(keptFor(requestLogDays), 'request'),
      what: `lines of requests ${older(requestLogDays)}`,
    },
    {
      name: 'forget events',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetEvents(keptFor(logDays)),
      what: `events ${older(logDays)}`,
    },
    {
      name: 'forget counts of requests',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetTraffic(now(), metricsDays),
      what: 'counts of requests past their time',
    },
    {
      name: 'forget counts of what is gone',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: () => forgetGone(now()),
      what: 'counts of requests to what is gone',
    },
    {
      name: 'collect manifests',
      everyMs: minuteMs,
      by: 'one node',
      step: () => collectManifests(now()),
      what: 'rows of released manifests',
    },
    {
      name: 'collect blobs',
      everyMs: minuteMs,
      by: 'one node',
      step: () => collectBlobs(now()),
      what: 'blobs that nothing refers to',
    },
    {
      name: 'sweep stray objects',
      everyMs: 360 * minuteMs,
      // Time for whoever started it on the wrong database to see that.
      firstAfterMs: 60 * minuteMs,
      // Files are in the data directory of the node that took them.
      by: 'each node',
      step: strayStep({ ...deps, db: store.db }),
      what: 'stray objects',
    },
  ]
}
