/** The recurring tasks of a node with the role `worker`. */
import type { Logger } from '../../lib/log/logger.ts'
import { recordKeyEnds } from '../../platform/callers/key-limits/record-ends.ts'
import { deleteOldChallenges } from '../../platform/certificates/challenges.ts'
import { expirePreviews } from '../../platform/deployments/expire.ts'
import type { TrashLimits } from '../../platform/deployments/garbage/stray-objects.ts'
import { collectBlobs, collectManifests } from '../../platform/deployments/garbage/unreferenced.ts'
import { checkDue } from '../../platform/domains/check/due.ts'
import type { DomainResolver } from '../../platform/domains/check/resolver.ts'
import { deleteClosed } from '../../platform/forges/closed/delete-due.ts'
import { deleteExpiredKeys } from '../../platform/idempotency/delete-expired.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { deleteOldEvents, deleteOldLines } from '../../platform/observability/logs/retention.ts'
import { deleteGoneTraffic, deleteOldTraffic } from '../../platform/observability/metrics/retention.ts'
import { sumUp } from '../../platform/observability/metrics/sum-up.ts'
import { deleteExpiredLinks } from '../../platform/people/links.ts'
import { mailKeyEnds } from '../../platform/people/mails/key-ends.ts'
import { deleteEndedChallenges } from '../../platform/people/passkeys/challenge.ts'
import { deleteExpiredSessions } from '../../platform/people/sessions.ts'
import { freeLabels } from '../../platform/projects/free-labels.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { deleteLostServers } from '../../platform/servers/server-rows.ts'
import { deleteExpiredInvitationLinks } from '../../platform/teams/invitation-links/revoke.ts'
import { giveUpOldest } from '../../platform/webhooks/delivery/give-up-oldest.ts'
import type { Routing } from '../../platform/zones/edge-targets.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { removeExpiredUploads } from '../../stores/blobs/direct-uploads.ts'
import { encodeDue } from '../../stores/blobs/encode-due.ts'
import { deleteOldUploads } from '../../stores/blobs/own-uploads.ts'
import { recountUsedBytes } from '../../stores/blobs/recount.ts'
import { type RemovalClock, whileBelieved } from '../../stores/clock/removal.ts'
import type { Store } from '../../stores/db/store.ts'
import { takeTurn } from '../../stores/queue/recurring.ts'
import type { Task } from './loop.ts'
import { type Sweep, sweepTask } from './sweep.ts'
import { strayStep } from './sweep-stray-objects.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** New deployments are compressed soon; polling costs one index lookup. */
const encodeEveryMs = 1_000

/** Users may be waiting for it. */
const checkEveryMs = 1_000

type Deps = SiteUrls & {
  store: Store
  blobs: BlobStore
  resolver: DomainResolver
  routing: Routing
  /** The retention of events and build logs. */
  logDays: number
  /** The retention of request logs. */
  requestLogDays: number
  /** The retention of lines of servers. */
  runtimeLogDays: number
  /** The retention of traffic counts. */
  metricsDays: number
  trash: TrashLimits
  /** For mails to owners; undefined where none can be sent. */
  outbox: Outbox | undefined
  /** Where the links of mails lead; undefined where that is unknown. */
  apiUrl: () => string | undefined
  /** Called with the number of unreferenced objects that were left, since they were too many. */
  strayLeft: (count: number) => void
  nowMs: () => number
  /** The clock for deletions by age. */
  removal: RemovalClock
  /** Aborts when the node begins to stop. */
  stopping: AbortSignal
  log: Logger
}

type SweepDeps = Omit<Deps, 'nowMs' | 'removal' | 'outbox' | 'apiUrl'>

/** The recurring tasks over these stores. */
export function workerTasks(deps: Deps): Task[] {
  const { store, blobs, resolver, routing, nowMs, removal, stopping, log } = deps
  return [
    ...sweeps(deps).map((sweep) => sweepTask({ db: store.db, removal, log }, sweep)),
    {
      name: 'compress blobs',
      everyMs: encodeEveryMs,
      run: (stopping) => encodeDue({ db: store.db, blobs, nowMs, stopping }),
    },
    {
      name: 'check domains',
      everyMs: checkEveryMs,
      // The grace of missing proofs would expire too, and the next checks would be postponed to that time.
      run: whileBelieved(removal, () => checkDue({ store, resolver, routing, nowMs, stopping })),
    },
    ...keyTasks(deps),
    sumUpTask(deps),
    recountTask(deps),
  ]
}

/** Each key's end is recorded, and its owners get a notice before, by the first node that comes to it. */
function keyTasks({ store, outbox, apiUrl, nowMs, removal }: Deps): Task[] {
  const record = {
    name: 'record ends of keys',
    everyMs: minuteMs,
    run: whileBelieved(removal, async () => {
      while ((await recordKeyEnds({ store, nowMs: nowMs() })) > 0);
      return false
    }),
  }
  if (!outbox) return [record]
  const notify = {
    name: 'mail ends of keys',
    everyMs: 10 * minuteMs,
    run: whileBelieved(removal, async () => {
      await mailKeyEnds({ store, outbox, apiUrl: apiUrl(), nowMs: nowMs() })
      return false
    }),
  }
  return [record, notify]
}

function sumUpTask({ store: { db }, nowMs }: Deps): Task {
  const name = 'sum up traffic counts'
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

/**
 * At the start of the first node, then daily: a node of an older version may be running, which doesn't count.
 */
function recountTask({ store: { db }, log }: Deps): Task {
  const name = 'recount stored bytes'
  return {
    name,
    everyMs: hourMs,
    run: async (stopping) => {
      if (!(await takeTurn(db, name, dayMs))) return false
      const count = await recountUsedBytes(db, stopping)
      if (count > 0) log.info({ task: name, count }, `corrected the stored bytes of ${count} teams`)
      return false
    },
  }
}

/** Sweeps get their time as an argument: there is no other here. */
function sweeps(deps: SweepDeps): Sweep[] {
  const { store, blobs, logDays, requestLogDays, runtimeLogDays, metricsDays } = deps
  const { db } = store
  const sweepStray = strayStep({ ...deps, db })
  const keptFor = (days: number, nowMs: number) => ({ db, beforeMs: nowMs - days * dayMs })
  const older = (days: number) => `older than ${days} ${days === 1 ? 'day' : 'days'}`
  return [
    {
      name: 'expire previews',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => expirePreviews({ ...deps, nowMs }),
      what: 'expired previews',
    },
    {
      name: 'delete what was closed',
      everyMs: minuteMs,
      by: 'one node',
      step: (nowMs) => deleteClosed({ ...deps, nowMs }),
      what: 'deployments of closed pull requests',
    },
    {
      name: 'forget idempotency keys',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteExpiredKeys({ db, nowMs }),
      what: 'idempotency keys past their time',
    },
    {
      name: 'forget sessions',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteExpiredSessions({ store, nowMs }),
      what: 'sessions past their time',
    },
    {
      name: 'forget links',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteExpiredLinks({ db, nowMs }),
      what: 'links past their time',
    },
    {
      name: 'forget own uploads',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldUploads({ db, nowMs }),
      what: 'uploads of limited members past their time',
    },
    {
      name: 'forget invitation links',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteExpiredInvitationLinks({ db, nowMs }),
      what: 'links of invitations past their time',
    },
    {
      name: 'forget challenges',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldChallenges(db, nowMs),
      what: 'challenges of certificates that nobody orders any more',
    },
    {
      name: 'forget challenges for passkeys',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteEndedChallenges(db, nowMs),
      what: 'challenges for passkeys past their time',
    },
    {
      name: 'free labels',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => freeLabels({ db, nowMs }),
      what: 'labels unused for 30 days',
    },
    {
      name: 'forget log lines',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldLines(keptFor(logDays, nowMs), 'build'),
      what: `log lines ${older(logDays)}`,
    },
    {
      name: 'forget lines about git',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldLines(keptFor(logDays, nowMs), 'git'),
      what: `lines about git ${older(logDays)}`,
    },
    {
      name: 'forget requests',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldLines(keptFor(requestLogDays, nowMs), 'request'),
      what: `lines of requests ${older(requestLogDays)}`,
    },
    {
      name: 'forget lines of servers',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldLines(keptFor(runtimeLogDays, nowMs), 'runtime'),
      what: `lines of servers ${older(runtimeLogDays)}`,
    },
    {
      name: 'forget servers',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteLostServers(db, nowMs - hourMs),
      what: 'servers of nodes that are gone',
    },
    {
      name: 'forget events',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldEvents(keptFor(logDays, nowMs)),
      what: `events ${older(logDays)}`,
    },
    {
      name: 'forget counts of requests',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteOldTraffic({ db, nowMs }, metricsDays),
      what: 'counts of requests past their time',
    },
    {
      name: 'forget counts of what is gone',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => deleteGoneTraffic({ db, nowMs }),
      what: 'counts of requests to what is gone',
    },
    {
      name: 'give up deliveries',
      everyMs: minuteMs,
      by: 'one node',
      step: (nowMs) => giveUpOldest(db, nowMs),
      what: 'deliveries beyond the limit of pending ones',
    },
    {
      name: 'collect manifests',
      everyMs: minuteMs,
      by: 'one node',
      step: (nowMs) => collectManifests({ db, blobs, nowMs }),
      what: 'rows of released manifests',
    },
    {
      name: 'collect blobs',
      everyMs: minuteMs,
      by: 'one node',
      step: (nowMs) => collectBlobs({ db, blobs, nowMs }),
      what: 'unreferenced blobs',
    },
    {
      name: 'remove expired uploads',
      everyMs: 10 * minuteMs,
      by: 'one node',
      step: (nowMs) => removeExpiredUploads({ db, blobs, nowMs }),
      what: 'uploads to the bucket that were not deployed',
    },
    {
      name: 'sweep stray objects',
      everyMs: 360 * minuteMs,
      // Gives an operator time to notice a start on the wrong database.
      firstAfterMs: 60 * minuteMs,
      // Files in a data directory are swept by the node that has it.
      by: blobs.isShared ? 'one node' : 'each node',
      // The age of an object is by the clock of its store.
      step: (nowMs) => sweepStray(Math.min(nowMs, Date.now())),
      what: 'unreferenced objects',
    },
  ]
}
